// Written by hand and not with a JSON library: results are the bulk of what a run writes, a tree of
// a hundred nodes takes a few microseconds this way, and the order of keys is the documented one.
// Tested against the reader and against nlohmann in tests/report/json_test.cc.

#include "report/json.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "text/json_text.h"

namespace assay {
namespace {

void put_number(std::string& out, double value) { append_number(out, value); }

void put_number(std::string& out, const std::optional<double>& value) {
  if (value) {
    put_number(out, *value);
  } else {
    out += "null";
  }
}

template <class Integer>
void put_integer(std::string& out, Integer value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// `name` holds its own punctuation: ,"key":
void put_text(std::string& out, std::string_view name, std::string_view text) {
  out += name;
  append_json_text(out, text);
}

void put_span(std::string& out, const std::optional<Span>& span) {
  if (!span) {
    out += "null";
    return;
  }
  put_text(out, "{\"field\":", span->field);
  out += ",\"begin\":";
  put_integer(out, span->begin);
  out += ",\"end\":";
  put_integer(out, span->end);
  out += '}';
}

void put_evidence(std::string& out, const Evidence& node) {
  put_text(out, "{\"label\":", node.label);
  put_text(out, ",\"op\":", op_name(node.op));
  out += ",\"value\":";
  put_number(out, node.value);
  out += ",\"weight\":";
  put_number(out, node.weight);
  put_text(out, ",\"note\":", node.note);
  out += ",\"span\":";
  put_span(out, node.span);
  out += ",\"links\":[";
  for (std::size_t i = 0; i < node.links.size(); ++i) {
    if (i > 0) out += ',';
    append_json_text(out, node.links[i]);
  }
  out += "],\"children\":[";
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out += ',';
    put_evidence(out, node.children[i]);
  }
  out += "]}";
}

// Leaves the object open: the total has its stages in it.
void put_usage(std::string& out, const Usage& usage) {
  out += "{\"calls\":";
  put_integer(out, usage.calls);
  out += ",\"prompt_tokens\":";
  put_integer(out, usage.prompt_tokens);
  out += ",\"cached_tokens\":";
  put_integer(out, usage.cached_tokens);
  out += ",\"completion_tokens\":";
  put_integer(out, usage.completion_tokens);
  out += ",\"usd\":";
  put_number(out, usage.usd);
  out += ",\"ms\":";
  put_number(out, usage.ms);
}

void put_usage(std::string& out, const Result& result) {
  put_usage(out, result.usage);
  out += ",\"stages\":{";
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    if (i > 0) out += ',';
    append_json_text(out, result.stages[i].first);
    out += ':';
    put_usage(out, result.stages[i].second);
    out += '}';
  }
  out += "}}";
}

void put_score(std::string& out, const Result& result) {
  const bool scored = result.score && std::isfinite(*result.score);
  out += ",\"score\":";
  put_number(out, scored ? result.score : std::nullopt);
  out += ",\"scale\":";
  if (result.scale) {
    out += '[';
    put_number(out, result.scale->lo);
    out += ',';
    put_number(out, result.scale->hi);
    out += ']';
  } else {
    out += "null";
  }
  put_text(out, ",\"status\":", scored ? "scored" : "unscored");
  const bool lost = result.score && !scored && result.reason.empty();
  put_text(out, ",\"reason\":", lost ? "the score was not a finite number" : result.reason);
}

}  // namespace

// Whole numbers are most of a tree (0, 1) and are written as such: faster, and 100000 is not 1e+05.
void append_number(std::string& out, double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  char digits[32];
  char* const end = digits + sizeof digits;
  if (!std::isfinite(value)) {
    out += "null";
  } else if (std::abs(value) < kExact && value == std::trunc(value)) {
    out.append(digits, std::to_chars(digits, end, static_cast<std::int64_t>(value)).ptr);
  } else {
    out.append(digits, std::to_chars(digits, end, value).ptr);
  }
}

void append_result_json(std::string& out, const Result& result) {
  put_text(out, "{\"id\":", result.id);
  put_text(out, ",\"group\":", result.group);
  put_text(out, ",\"system\":", result.system);
  put_text(out, ",\"dimension\":", result.dimension);
  put_text(out, ",\"method\":", result.method);
  put_text(out, ",\"judge\":", result.judge);
  if (!result.judge_kind.empty()) put_text(out, ",\"judge_kind\":", result.judge_kind);
  put_text(out, ",\"layout\":", result.layout);
  put_score(out, result);
  if (result.deviation && std::isfinite(*result.deviation)) {
    out += ",\"deviation\":";
    put_number(out, result.deviation);
  }
  out += ",\"evidence\":";
  put_evidence(out, result.evidence);
  out += ",\"usage\":";
  put_usage(out, result);
  put_text(out, ",\"run\":", result.run);
  out += '}';
}

std::string result_json(const Result& result) {
  std::string out;
  append_result_json(out, result);
  return out;
}

}  // namespace assay
