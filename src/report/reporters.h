#pragma once

#include <memory>
#include <string>

#include "assay/result.h"
#include "report/sink.h"
#include "report/summary.h"

namespace assay {

// One JSON object per line, or (for .json) the same lines as one JSON list.
class JsonReporter : public Reporter {
 public:
  explicit JsonReporter(std::string path, bool as_list = false);
  void add(const Sample& sample, const Result& result) override;
  void finish() override;

 private:
  report::Sink sink_;
  bool as_list_;
  bool first_ = true;
};

// One line per result, without the tree: what a spreadsheet can use, and the most costly unit with
// what it lacked.
class CsvReporter : public Reporter {
 public:
  explicit CsvReporter(std::string path);
  void add(const Sample& sample, const Result& result) override;
  void finish() override;

 private:
  report::Sink sink_;
};

// The summary as a Markdown table, for a pull request or a wiki.
class MarkdownReporter : public Reporter {
 public:
  explicit MarkdownReporter(std::string path);
  void add(const Sample& sample, const Result& result) override;
  void finish() override;

 private:
  report::Sink sink_;
  Summary summary_;
};

// By the extension: .jsonl .ndjson .json .csv .md; "-" is JSON Lines on standard output.
// ConfigError on another extension, or where the file cannot be written: before anything is spent.
std::unique_ptr<Reporter> make_reporter(const std::string& path);

}  // namespace assay
