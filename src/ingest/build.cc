#include "ingest/build.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "ingest/problem.h"

namespace assay::ingest {
namespace {

// White space of ASCII and the no-break and ideographic spaces that "empty" outputs are made of in
// practice.
bool blank(std::string_view text) {
  while (!text.empty()) {
    if (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')) {
      text.remove_prefix(1);
    } else if (text.starts_with("\xc2\xa0")) {
      text.remove_prefix(2);
    } else if (text.starts_with("\xe3\x80\x80") || text.starts_with("\xe2\x80\x8b") ||
               text.starts_with("\xef\xbb\xbf")) {
      text.remove_prefix(3);
    } else {
      return false;
    }
  }
  return true;
}

void refuse_nul(Slot slot, std::string_view value) {
  if (value.find('\0') == std::string_view::npos) return;
  throw RowProblem(fmt::format("field \"{}\" holds a NUL character; remove it", slot_name(slot)));
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) {
    if (!all.empty()) all.push_back('\n');
    all += part;
  }
  return all;
}

}  // namespace

void wrong_type(std::string_view field, std::string_view want, std::string_view got) {
  throw RowProblem(fmt::format("field \"{}\" must be {}, but is {}", field, want, got));
}

void RowBuilder::clear() {
  row_ = Row{};
  for (std::string& key : key_) key.clear();
}

void RowBuilder::claim(Slot slot, std::string_view key) {
  std::string& held = key_[static_cast<std::size_t>(slot)];
  if (held == key && !held.empty()) throw RowProblem(fmt::format("key \"{}\" is there twice", key));
  if (!held.empty()) {
    throw RowProblem(
        fmt::format("\"{}\" and \"{}\" both stand for field \"{}\"; choose one with --map {}={}",
                    held, key, slot_name(slot), slot_name(slot), held));
  }
  held = key;
}

void RowBuilder::text(Slot slot, std::string value) {
  refuse_nul(slot, value);
  Sample& sample = row_.sample;
  switch (slot) {
    case Slot::kId:
      sample.id = std::move(value);
      return;
    case Slot::kGroup:
      sample.group = std::move(value);
      return;
    case Slot::kSystem:
      sample.system = std::move(value);
      return;
    case Slot::kSource:
      sample.fields.source = std::move(value);
      return;
    case Slot::kOutput:
      sample.fields.output = std::move(value);
      return;
    case Slot::kContext:
      sample.fields.context = std::move(value);
      return;
    case Slot::kHistory:
      sample.fields.history = std::move(value);
      return;
    case Slot::kReferences:
      if (!value.empty()) sample.fields.references.push_back(std::move(value));
      return;
    case Slot::kHuman:
    case Slot::kHumanRaw:
      break;
  }
  wrong_type(slot_name(slot), "an object {dimension: rating}", "a string");
}

void RowBuilder::list(Slot slot, std::vector<std::string> values) {
  for (const std::string& value : values) refuse_nul(slot, value);
  if (slot == Slot::kContext || slot == Slot::kHistory) {
    text(slot, joined(values));
  } else if (slot == Slot::kReferences) {
    row_.sample.fields.references = std::move(values);
  } else {
    wrong_type(slot_name(slot), "a string", "a list");
  }
}

void RowBuilder::rating(std::string_view dimension, double value) {
  if (assay::find(row_.human, dimension) != nullptr) {
    throw RowProblem(fmt::format("human rating of \"{}\" is there twice", dimension));
  }
  row_.human.emplace_back(dimension, value);
}

void RowBuilder::raw_ratings(std::string dimension, std::vector<double> values) {
  row_.human_raw.emplace_back(std::move(dimension), std::move(values));
}

Row RowBuilder::finish(std::size_t line, bool output_is_mapped) {
  Sample& sample = row_.sample;
  if (key_[static_cast<std::size_t>(Slot::kOutput)].empty()) {
    throw RowProblem(
        output_is_mapped
            ? "field \"output\" is missing: the row has no such key as --map output names"
            : "field \"output\" is missing; every row needs one (use --map output=KEY if it has "
              "another name)");
  }
  if (blank(sample.fields.output)) {
    throw RowProblem(
        "field \"output\" is empty; there is nothing to judge (drop the row, or use --on-error "
        "skip)");
  }
  if (sample.id.empty()) sample.id = fmt::format("row-{}", line);
  if (sample.group.empty()) sample.group = sample.id;
  row_.line = line;
  return std::move(row_);
}

}  // namespace assay::ingest
