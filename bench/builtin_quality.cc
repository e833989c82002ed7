// Every kind of built-in evidence for every row of a benchmark file, as JSON Lines: what
// correlations with people are computed from when a kind of evidence is changed. Usage:
// builtin_quality summarization|dialogue|qags rows.jsonl
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "evidence/evidence.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

struct Texts {
  explicit Texts(const WordList& words) : analyzer(words) {}
  const Analysis* of(const std::string& text) {
    const auto [it, fresh] = known.try_emplace(text);
    if (fresh) it->second = analyzer.analyse(text);
    return &it->second;
  }
  Analyzer analyzer;
  std::unordered_map<std::string, Analysis> known;
};

std::string text_of(const Json& row, const char* key) {
  return row.contains(key) && row[key].is_string() ? row[key].get<std::string>() : std::string();
}

EvidenceInput input_of(const Json& row, bool dialogue, Texts& texts) {
  EvidenceInput in;
  in.output = texts.of(text_of(row, "output"));
  const Analysis* source = texts.of(text_of(row, "source"));
  (dialogue ? in.history : in.source) = source;
  const std::string fact = text_of(row, "context");
  if (!is_no_fact(fact)) in.fact = texts.of(fact);
  for (const Json& reference : row["references"]) in.references.push_back(texts.of(reference));
  in.unit = whole(*in.output);
  return in;
}

// The mean over the units a dimension has: sentences, or adjacent pairs for the order of the
// source.
std::optional<double> mean_over_units(const EvidenceKind& kind, EvidenceInput in, bool whole_unit) {
  if (kind.text_level || whole_unit) {
    const auto result = kind.measure(in);
    return result ? std::optional(result->value) : std::nullopt;
  }
  const bool pairs = kind.name == "source-order";
  const auto sentences = sentences_of(whole(*in.output));
  double sum = 0;
  int n = 0;
  for (std::size_t i = 0; i + (pairs ? 1 : 0) < sentences.size(); ++i) {
    in.unit = {in.output, sentences[i].first, sentences[i + (pairs ? 1 : 0)].last};
    if (const auto result = kind.measure(in)) {
      sum += result->value;
      ++n;
    }
  }
  return n == 0 ? std::nullopt : std::optional(sum / n);
}

int run(const std::string& task, const std::string& path) {
  const WordList words;
  Texts texts(words);
  std::ifstream file(path);
  if (!file) {
    std::cerr << path << ": cannot be read\n";
    return 2;
  }
  for (std::string line; std::getline(file, line);) {
    const Json row = Json::parse(line);
    const EvidenceInput in = input_of(row, task == "dialogue", texts);
    Json out;
    for (const char* key : {"id", "group", "system", "human"}) out[key] = row[key];
    for (const EvidenceKind& kind : evidence_kinds()) {
      const auto value = mean_over_units(kind, in, task != "summarization");
      out[std::string(kind.name)] = value ? Json(*value) : Json();
    }
    std::cout << out.dump() << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: builtin_quality summarization|dialogue|qags rows.jsonl\n";
    return 2;
  }
  return assay::run(argv[1], argv[2]);
}
