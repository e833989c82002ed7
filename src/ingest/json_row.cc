#include "ingest/json_row.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <cmath>
#include <optional>
#include <utility>

#include "ingest/json_error.h"
#include "ingest/problem.h"
#include "text/utf8.h"

namespace assay::ingest {
namespace {

namespace dom = simdjson::dom;
using Type = dom::element_type;

std::string_view type_name(dom::element value) {
  switch (value.type()) {
    case Type::ARRAY:
      return "a list";
    case Type::OBJECT:
      return "an object";
    case Type::STRING:
      return "a string";
    case Type::BOOL:
      return "true or false";
    case Type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

std::string string_of(dom::element value) { return std::string(std::string_view(value)); }

// Only where a number is as good as a name: id, group, system.
std::optional<std::string> number_text(dom::element value) {
  switch (value.type()) {
    case Type::INT64:
      return fmt::format("{}", std::int64_t(value));
    case Type::UINT64:
      return fmt::format("{}", std::uint64_t(value));
    case Type::DOUBLE:
      return fmt::format("{}", double(value));
    default:
      return std::nullopt;
  }
}

std::optional<double> number(dom::element value) {
  double out = 0;
  if (value.get_double().get(out) != simdjson::SUCCESS || !std::isfinite(out)) return std::nullopt;
  return out;
}

std::vector<std::string> strings(Slot slot, dom::array values) {
  std::vector<std::string> out;
  for (const dom::element value : values) {
    if (value.type() != Type::STRING) {
      wrong_type(slot_name(slot), "a string or a list of strings",
                 fmt::format("a list with {}", type_name(value)));
    }
    out.push_back(string_of(value));
  }
  return out;
}

void put_rating(std::string_view dimension, dom::element value, RowBuilder& row) {
  if (value.is_null()) return;
  const auto rating = number(value);
  if (!rating) {
    wrong_type(fmt::format("human.{}", dimension), "a number", type_name(value));
  }
  row.rating(dimension, *rating);
}

void put_ratings(dom::element value, RowBuilder& row) {
  if (value.type() != Type::OBJECT) {
    wrong_type("human", "an object {dimension: rating}", type_name(value));
  }
  for (const auto [dimension, rating] : dom::object(value)) put_rating(dimension, rating, row);
}

// {dimension: [3, 2, 3]}, or one level deeper {raters: {dimension: [...]}} as "raters/dimension".
// Data sets keep all sorts of things here (votes, sentences); what is not a list of numbers is left
// alone.
void put_raw(const std::string& prefix, dom::element value, RowBuilder& row) {
  if (value.type() != Type::OBJECT) return;
  for (const auto [key, item] : dom::object(value)) {
    const std::string name = prefix.empty() ? std::string(key) : fmt::format("{}/{}", prefix, key);
    if (item.type() == Type::OBJECT && prefix.empty()) put_raw(name, item, row);
    if (item.type() != Type::ARRAY) continue;
    std::vector<double> ratings;
    bool numbers = true;
    for (const dom::element one : dom::array(item)) {
      const auto rating = number(one);
      numbers = numbers && rating;
      if (rating) ratings.push_back(*rating);
    }
    if (numbers && !ratings.empty()) row.raw_ratings(name, std::move(ratings));
  }
}

void put_text(Slot slot, dom::element value, RowBuilder& row) {
  if (value.type() == Type::STRING) return row.text(slot, string_of(value));
  const bool naming = slot == Slot::kId || slot == Slot::kGroup || slot == Slot::kSystem;
  if (naming) {
    if (auto text = number_text(value)) return row.text(slot, *std::move(text));
    wrong_type(slot_name(slot), "a string or a number", type_name(value));
  }
  const bool listing =
      slot == Slot::kReferences || slot == Slot::kContext || slot == Slot::kHistory;
  if (listing && value.type() == Type::ARRAY) return row.list(slot, strings(slot, value));
  wrong_type(slot_name(slot), listing ? "a string or a list of strings" : "a string",
             type_name(value));
}

// `null` is an absent field, whichever key it stands under.
void put(Slot slot, std::string_view key, dom::element value, RowBuilder& row) {
  if (value.is_null()) return;
  row.claim(slot, key);
  if (slot == Slot::kHuman) return put_ratings(value, row);
  if (slot == Slot::kHumanRaw) return put_raw({}, value, row);
  put_text(slot, value, row);
}

// A key as it stands, or a dotted path into nested objects.
std::optional<dom::element> at_path(dom::object object, std::string_view path) {
  dom::element found;
  if (object.at_key(path).get(found) == simdjson::SUCCESS) return found;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    dom::object inner;
    if (object.at_key(path.substr(0, dot)).get_object().get(inner) != simdjson::SUCCESS) continue;
    if (auto deeper = at_path(inner, path.substr(dot + 1))) return deeper;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_json(std::string_view line, simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) throw RowProblem("the row does not fit into memory");
  if (error == simdjson::UTF8_ERROR) {
    const auto at = find_bad_utf8(line);
    throw RowProblem(fmt::format("not UTF-8: bad byte at column {} (save the file as UTF-8)",
                                 at.value_or(0) + 1));
  }
  const std::string why = explain_bad_json(line);
  if (!why.empty()) throw RowProblem(why);
  if (error == simdjson::DEPTH_ERROR) throw RowProblem("nested too deeply to be a row");
  if (error == simdjson::NUMBER_ERROR) throw RowProblem("holds a number that is out of range");
  throw RowProblem("not valid JSON");
}

}  // namespace

struct JsonRow::Parser {
  dom::parser parser;
};

JsonRow::JsonRow() : parser_(std::make_unique<Parser>()) {}
JsonRow::~JsonRow() = default;

void JsonRow::read(std::string_view line, const FieldMap& map, RowBuilder& row,
                   std::vector<bool>& seen) {
  // After a giant row the parser would hold on to several times its size.
  constexpr std::size_t kKeep = std::size_t{16} << 20;
  if (parser_->parser.capacity() > kKeep && line.size() < kKeep)
    parser_ = std::make_unique<Parser>();
  dom::element root;
  const auto error = parser_->parser.parse(line.data(), line.size(), false).get(root);
  if (error != simdjson::SUCCESS) refuse_json(line, error);
  if (root.type() == Type::ARRAY) {
    throw RowProblem(
        "the row is a JSON list, not an object; a file of rows has one object per line (jq -c "
        "'.[]' makes it so)");
  }
  if (root.type() != Type::OBJECT) {
    throw RowProblem(fmt::format("the row is {}, not a JSON object", type_name(root)));
  }
  const dom::object object(root);
  for (const auto [key, value] : object) {
    if (const auto slot = map.find(key)) {
      put(*slot, key, value, row);
    } else if (const auto dimension = rating_key(key)) {
      put_rating(*dimension, value, row);
    }
  }
  for (std::size_t i = 0; i < map.mapped().size(); ++i) {
    const Mapped& entry = map.mapped()[i];
    const auto value = at_path(object, entry.key);
    if (!value) continue;
    seen[i] = true;
    if (entry.rating.empty()) {
      put(entry.slot, entry.key, *value, row);
    } else {
      put_rating(entry.rating, *value, row);
    }
  }
}

bool JsonRow::list_cell(std::string_view cell, std::vector<std::string>& out) {
  if (!cell.starts_with('[')) return false;
  dom::array values;
  if (parser_->parser.parse(cell.data(), cell.size()).get_array().get(values) != simdjson::SUCCESS)
    return false;
  for (const dom::element value : values) {
    if (value.type() != Type::STRING) return false;
  }
  for (const dom::element value : values) out.push_back(string_of(value));
  return true;
}

void JsonRow::human_cell(std::string_view cell, Slot slot, RowBuilder& row) {
  dom::element value;
  if (parser_->parser.parse(cell.data(), cell.size()).get(value) != simdjson::SUCCESS) {
    wrong_type(slot_name(slot), "a JSON object {dimension: rating}", "something else");
  }
  if (slot == Slot::kHuman) put_ratings(value, row);
  if (slot == Slot::kHumanRaw) put_raw({}, value, row);
}

}  // namespace assay::ingest
