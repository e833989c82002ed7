// The whole recording is held in memory, by content key; a question that was asked again after a
// failure has several lines, of which the last counts, as it did in the run. Tested in
// tests/judges/replay_test.cc.
#include "judges/replay.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "assay/error.h"

namespace assay {
namespace {

using Json = nlohmann::json;

struct Recording {
  std::string name, kind, identity;
  Capabilities capabilities;
  std::unordered_map<std::string, Reply> replies;  // by content key; never iterated
};

struct Source {
  std::string path;
  std::string judge;  // asked for with #NAME; empty: the only one
};

// A file whose own name holds '#' is found first.
Source source_of(const std::string& file) {
  const std::size_t mark = file.rfind('#');
  std::error_code ignored;
  if (mark == std::string::npos || std::filesystem::exists(file, ignored)) return {file, {}};
  return {file.substr(0, mark), file.substr(mark + 1)};
}

[[noreturn]] void refuse(const Source& source, std::size_t line, const std::string& what) {
  throw ConfigError(
      fmt::format("{}:{}: {}: record it again with --record", source.path, line, what));
}

Status status_of(const std::string& name) {
  if (name == "ok") return Status::kOk;
  if (name == "unparsable") return Status::kUnparsable;
  if (name == "refused") return Status::kRefused;
  if (name == "transport") return Status::kTransport;
  throw std::invalid_argument("unknown status \"" + name + "\"");
}

Usage usage_of(const Json& json) {
  Usage usage;
  usage.calls = json.at("calls").get<std::int64_t>();
  usage.prompt_tokens = json.at("prompt_tokens").get<std::int64_t>();
  usage.cached_tokens = json.at("cached_tokens").get<std::int64_t>();
  usage.completion_tokens = json.at("completion_tokens").get<std::int64_t>();
  usage.usd = json.at("usd").get<double>();
  usage.ms = json.at("ms").get<double>();
  return usage;
}

Reply reply_of(const Json& json) {
  Reply reply;
  reply.status = status_of(json.at("status").get<std::string>());
  reply.text = json.at("text").get<std::string>();
  for (const Json& prob : json.at("probs")) {
    reply.probs.push_back({prob.at(0).get<std::string>(), prob.at(1).get<double>()});
  }
  for (const Json& note : json.at("notes")) {
    reply.notes.emplace_back(note.at(0).get<std::string>(), note.at(1).get<std::string>());
  }
  reply.usage = usage_of(json.at("usage"));
  reply.problem = json.at("problem").get<std::string>();
  return reply;
}

Capabilities capabilities_of(const Json& json) {
  Capabilities c;
  c.generation = json.at("generation").get<bool>();
  c.grades = json.at("grades").get<bool>();
  c.weighs = json.at("weighs").get<bool>();
  c.probabilities = json.at("probabilities").get<bool>();
  c.log_likelihood = json.at("log_likelihood").get<bool>();
  c.free = json.at("free").get<bool>();
  c.deterministic = json.at("deterministic").get<bool>();
  return c;
}

class Reader {
 public:
  explicit Reader(Source source) : source_(std::move(source)), in_(open(source_.path)) {}

  // True: the last line was cut off and left out.
  bool read() {
    std::string line;
    for (std::size_t number = 1; std::getline(in_, line); ++number) {
      const bool whole = !in_.eof();  // a line that was written whole ends in a line end
      if (line.empty() && !whole) break;
      const Json json = Json::parse(line, nullptr, false);
      if (!json.is_object()) {
        if (!whole) return true;
        refuse(source_, number, "this line is no JSON object");
      }
      try {
        take(json);
      } catch (const std::exception& error) {
        refuse(source_, number, std::string("not a line of a recording: ") + error.what());
      }
    }
    return false;
  }

  Recording finish() {
    if (names_.empty())
      throw ConfigError(source_.path + ": the recording is empty: record it again with --record");
    if (recording_.name.empty() || (source_.judge.empty() && names_.size() > 1)) {
      const std::string which = source_.judge.empty() ? "" : " none called " + source_.judge;
      throw ConfigError(fmt::format("{}: holds the judges {} but{}: name one, as in replay:{}#{}",
                                    source_.path, fmt::join(names_, ", "),
                                    which.empty() ? " one is needed" : which, source_.path,
                                    *names_.begin()));
    }
    return std::move(recording_);
  }

 private:
  static std::ifstream open(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      throw ConfigError(path + ": is a folder, not a recording");
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) throw ConfigError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
    return in;
  }

  void take(const Json& json) {
    const auto name = json.at("judge").get<std::string>();
    names_.insert(name);
    if (!source_.judge.empty() && name != source_.judge) return;
    const auto identity = json.at("identity").get<std::string>();
    if (!recording_.name.empty() && recording_.name == name && recording_.identity != identity) {
      throw std::invalid_argument("judge " + name + " has two identities in one file");
    }
    auto reply = reply_of(json.at("reply"));
    if (recording_.name.empty()) {
      recording_.capabilities = capabilities_of(json.at("capabilities"));
      recording_.kind = json.at("kind").get<std::string>();
      recording_.identity = identity;
      recording_.name = name;
    }
    recording_.replies.insert_or_assign(json.at("key").get<std::string>(), std::move(reply));
  }

  Source source_;
  std::ifstream in_;
  std::set<std::string> names_;
  Recording recording_;
};

// Thread-safe: nothing changes after construction.
class Replay : public Judge {
 public:
  Replay(std::string file, Recording recording, bool cut)
      : file_(std::move(file)), recording_(std::move(recording)), cut_(cut) {}

  std::string name() const override { return recording_.name; }
  std::string kind() const override { return recording_.kind; }
  std::string identity() const override { return recording_.identity; }
  Capabilities capabilities() const override { return recording_.capabilities; }

  void ask(Request request, Done done) override {
    const auto it = recording_.replies.find(request.key);
    if (it != recording_.replies.end()) return done(it->second);
    Reply reply;
    reply.status = Status::kTransport;
    reply.problem = fmt::format(
        "not in the recording {} (stage {}): record again with the same rows and options", file_,
        request.stage.empty() ? "unnamed" : request.stage);
    done(std::move(reply));
  }

  std::vector<std::string> remarks() const override {
    if (!cut_) return {};
    return {file_ + ": the last line is cut off and was left out"};
  }

 private:
  const std::string file_;
  const Recording recording_;
  const bool cut_;
};

}  // namespace

std::unique_ptr<Judge> make_replay(const std::string& file) {
  const Source source = source_of(file);
  Reader reader(source);
  const bool cut = reader.read();
  return std::make_unique<Replay>(source.path, reader.finish(), cut);
}

}  // namespace assay
