#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/method.h"
#include "assay/question.h"
#include "assay/verdict.h"

namespace assay {

// One call: a question as the engine puts it to a judge. Repairs are attempts 1 and 2, whose
// messages already hold the unreadable reply and what was wrong with it.
struct Request {
  std::vector<Message> messages;
  AnswerSpec answer;
  Sampling sampling;
  int draw = 0;
  int attempt = 0;
  std::string key;  // content key, hex
  std::string stage;
  std::size_t prefix = 0;  // hash of the shared part, to keep siblings together
  // Where the shared part ends, for servers that keep it by a mark: after this many messages, the
  // last of them counted up to `shared_bytes`. No part of the content key: they change what is
  // paid, not what is said.
  std::size_t shared_messages = 0;
  std::size_t shared_bytes = 0;
  std::shared_ptr<const Subject> subject;
};

// What came back. Only status, text, probs, notes and usage are stored; parsing is the engine's.
struct Reply {
  Status status = Status::kOk;
  std::string text;
  std::vector<OptionProb> probs;
  Named<std::string> notes;
  Usage usage;
  std::string problem;  // one line, without secrets, where status is not ok
};

struct Capabilities {
  bool generation = true;
  bool grades = true;
  bool weighs = true;          // can weigh sub-dimensions
  bool probabilities = false;  // log-probabilities of the first answer token
  bool log_likelihood = false;
  bool free = false;           // nothing to pay: answers are not kept in the ledger
  bool deterministic = false;  // a spread over repeats says nothing
  bool merges_draws = false;   // draws of one question, asked together, are paid as one request
};

// Who answers. Implementations are thread-safe. `ask` does not block for the answer; `done` is
// called exactly once, on any thread, also after a failure, and must not throw.
class Judge {
 public:
  using Done = std::function<void(Reply)>;
  virtual ~Judge() = default;
  virtual std::string name() const = 0;  // as in results: "builtin", "openai:gpt-4o"
  virtual std::string kind() const = 0;  // "language model", "lexical baseline, not an LLM"
  virtual std::string identity()
      const = 0;  // what changes answers; no URL, no key (content key, DESIGN)
  virtual Capabilities capabilities() const = 0;
  virtual void ask(Request request, Done done) = 0;
  // Nothing more is to be sent: what waits for its turn or for another try fails at once as
  // kTransport, what is on its way is awaited. From any thread.
  virtual void stop() {}
  // How many tokens a text is to this judge, where it has its own tokenizer.
  virtual std::optional<std::int64_t> count_tokens(std::string_view) const { return std::nullopt; }
  // How many tries it has repeated so far. May be asked at any time, from any thread.
  virtual std::int64_t retries() const { return 0; }
  // What the user should know about how the run went ("the server rejects seed: asked without").
  virtual std::vector<std::string> remarks() const { return {}; }
};

}  // namespace assay
