#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "assay/sample.h"

namespace assay {

// Stored in the ledger: never renumber, only append.
enum class Status {
  kOk = 0,
  kUnparsable = 1,  // a reply came, but not one of the shape asked for, also after the repairs
  kRefused = 2,     // the judge declined to answer, or the server refused this request for good
  kTransport = 3,   // no reply: the server was not reached, failed, or ran out of time or quota
};

struct OptionProb {
  std::string option;  // "yes", "4"; in a Keyed or Links answer the id whose P(yes) this is
  double p = 0;
  bool operator==(const OptionProb&) const = default;
};

// What an answer says, in the type its shape calls for.
struct Value {
  using Variant = std::variant<std::monostate,
                               bool,                             // YesNo
                               double,                           // Number, Rated, LogLik
                               std::string,                      // Choice, Text
                               Named<bool>,                      // Keyed; Lines: those answered
                               Named<double>,                    // Weights, normalised to sum 1
                               Named<std::vector<std::string>>,  // Lists, Links
                               Named<Value>>;                    // Record
  Variant data;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
};

struct Usage {
  std::int64_t calls = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t cached_tokens = 0;
  std::int64_t completion_tokens = 0;
  double usd = 0;
  double ms = 0;

  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

struct Verdict {
  Status status = Status::kOk;
  Value value;                    // of an unparsable Record: the parts that could be read
  std::vector<OptionProb> probs;  // empty where the judge gives none
  Named<std::string> notes;       // id -> why, where the judge says so
  std::string raw;                // the reply as it came
  std::string problem;  // why status is not ok; or what was mended ("weights summed to 0.9")
  Usage usage;          // of all attempts
};

using Round = std::vector<Verdict>;     // in the order asked
using Transcript = std::vector<Round>;  // methods take it by const reference

}  // namespace assay
