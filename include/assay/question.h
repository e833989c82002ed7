#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "assay/sample.h"

namespace assay {

enum class Role { kSystem, kUser, kAssistant };

struct Message {
  Role role = Role::kUser;
  std::string text;
  bool operator==(const Message&) const = default;
};

// --- Answer shapes. Each has one JSON schema and one strict parser (src/answer), tested as a pair.
// ---

struct YesNo {  // one word
  std::string yes = "yes";
  std::string no = "no";
};
struct Keyed {  // yes/no for every id
  std::vector<std::string> ids;
};
struct Weights {  // a non-negative number for every id, summing to 1
  std::vector<std::string> ids;
};
struct Number {  // lo, lo+step, ..., hi
  double lo = 1;
  double hi = 5;
  double step = 1;
};
struct Choice {  // exactly one of the options
  std::vector<std::string> options;
};
struct Lists {  // a list of strings under every name
  std::vector<std::string> names;
};
struct Links {  // for every `from` id the `to` ids it is linked with; an empty list says "none"
  std::vector<std::string> from;
  std::vector<std::string> to;
};
struct LogLik {  // no reply: the log-likelihood of this text after the messages
  std::string text;
};
struct Text {};  // anything that is not empty
struct Rated {   // free text that ends in a rating: the number after the last `label`, brackets and
                 // bold tolerated
  std::string label = "Rating";
  double lo = 1;
  double hi = 5;
  double step = 1;
};
struct Lines {  // "ID: yes" or "ID: no", a line each, in free text; the last of an id counts, and
                // some may be missing
  std::vector<std::string> ids;
};

struct RecordPart;
struct Record {  // several of these in one reply, by name
  std::vector<RecordPart> parts;
};
using AnswerSpec = std::variant<YesNo, Keyed, Weights, Number, Choice, Lists, Links, LogLik, Text,
                                Record, Rated, Lines>;
struct RecordPart {
  std::string name;
  AnswerSpec spec;
};

struct Sampling {
  double temperature = 0;
  double top_p = 1;
  int max_tokens = 1024;
  long seed = 7;
  bool probabilities = false;  // the log-probabilities of the first answer token are wanted
  bool operator==(const Sampling&) const = default;
};

// What a question is about, for a judge that reads texts and not prompts (builtin). Everything here
// is also in the messages; it is no part of the content key.
struct Subject {
  struct Unit {
    std::string id;
    std::string text;
    Span span;
  };
  struct Aspect {  // a sub-dimension
    std::string id;
    std::vector<std::string> evidence;  // names of built-in evidence, from the rubric
    double yes_at = 0.5;
  };
  Sample sample;
  std::string dimension;
  std::vector<Unit> units;
  std::vector<Aspect> aspects;
  std::vector<Unit> sources;  // what a Links answer may point at
};

struct Question {
  std::string label;  // place in the evidence tree: "units/3/logical-continuity"
  std::string stage;  // what calls, tokens and latency are summed by: "facts", "verdicts", ...
  std::vector<Message> shared;  // byte-identical across sibling questions: the long part
  std::string tail;             // what differs; continues the last user message of `shared`
  AnswerSpec answer;
  Sampling sampling;
  std::string role = "judge";  // judge | generator | refiner | explainer
  int draw = 0;
  // Shared because the sibling questions of a row all point at the same texts.
  std::shared_ptr<const Subject> subject;
};

// The messages as they are sent: `tail` joined to the last user message, or a message of its own.
std::vector<Message> messages_of(const Question& question);

}  // namespace assay
