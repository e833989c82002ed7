#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/method.h"

namespace assay {

// One learned hypothesis: a rubric of one trait with a description of the scores 1 to 5.
struct BankHypothesis {
  std::string id;      // h1, h2, ... in the order they were made
  std::string origin;  // initial | wrong-rows | literature | zero-shot
  std::string text;
  std::optional<double> reward;   // the last one; none where it never took part in the updates
  int rows = 0;                   // how many labelled rows it has scored
  std::optional<double> pearson;  // with the labels; none where its scores are all equal
  bool united = false;            // in the bank the selection was made from
  bool selected = false;          // scores rows in `assay eval`
};

// What one seed learned.
struct LearnedBank {
  long seed = 0;
  std::vector<std::string> seen;  // ids of the labelled rows
  std::vector<std::string> notes;
  std::vector<BankHypothesis> hypotheses;
};

// A hypothesis bank file: docs/formats/bank.md.
struct Bank {
  std::string task;
  std::string dimension;
  std::string rubric;          // hash of the rubric it was learned with
  Scale scale{1, 5};           // of its scores
  Scale labels{1, 5};          // of the human labels, mapped linearly to `scale`
  Named<std::string> judges;   // role -> name
  Named<std::string> options;  // every hyper-parameter
  std::vector<std::string> literature;
  std::vector<LearnedBank> seeds;
  // For audit: a YAML document per seed with every question and reply. Kept as text: nothing that
  // scores rows reads it.
  std::vector<std::string> records;
  std::string origin;  // the file it was read from

  bool seen(std::string_view row) const;
  std::string hash() const;  // of what changes scores: task, dimension, scale, selected texts
};

// Throws ConfigError with the first problem: FILE:LINE: what is wrong and what to do.
Bank parse_bank(std::string_view text, const std::string& file);
Bank load_bank(const std::string& path);

// The file's bytes; parse_bank gives the same bank back.
std::string write_bank(const Bank& bank);

// One bank of several seeds from banks of one seed each, alike in everything else.
Bank merge_banks(std::vector<Bank> banks);

// "key: text" for a YAML file, as a readable block where the text allows it and as a quoted string
// elsewhere.
std::string yaml_entry(int indent, std::string_view key, std::string_view text);

}  // namespace assay
