#include "judges/recording.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "assay/error.h"
#include "assay/write_error.h"
#include "core/open_alone.h"
#include "judges/question_json.h"
#include "text/json_text.h"

namespace assay {
namespace {

template <class... Args>
void put(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void put_text(std::string& out, std::string_view name, std::string_view text) {
  put(out, ",\"{}\":", name);
  append_json_text(out, text);
}

void put_capabilities(std::string& out, const Capabilities& c) {
  put(out,
      R"(,"capabilities":{{"generation":{},"grades":{},"weighs":{},"probabilities":{},)"
      R"("log_likelihood":{},"free":{},"deterministic":{}}})",
      c.generation, c.grades, c.weighs, c.probabilities, c.log_likelihood, c.free, c.deterministic);
}

void put_reply(std::string& out, const Reply& reply) {
  put(out, R"(,"reply":{{"status":"{}")", status_name(reply.status));
  put_text(out, "text", reply.text);
  out += ",\"probs\":[";
  for (const OptionProb& prob : reply.probs) {
    out += out.back() == '[' ? "[" : ",[";
    append_json_text(out, prob.option);
    put(out, ",{}]", prob.p);
  }
  out += "],\"notes\":[";
  for (const auto& [id, note] : reply.notes) {
    out += out.back() == '[' ? "[" : ",[";
    append_json_text(out, id);
    out += ',';
    append_json_text(out, note);
    out += ']';
  }
  const Usage& usage = reply.usage;
  put(out,
      R"(],"usage":{{"calls":{},"prompt_tokens":{},"cached_tokens":{},"completion_tokens":{},)"
      R"("usd":{},"ms":{}}})",
      usage.calls, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens, usage.usd,
      usage.ms);
  put_text(out, "problem", reply.problem);
  out += '}';
}

}  // namespace

std::string recording_line(const Judge& judge, const Request& request, const Reply& reply) {
  std::string out = "{\"key\":";
  append_json_text(out, request.key);
  put_text(out, "judge", judge.name());
  put_text(out, "kind", judge.kind());
  put_text(out, "identity", judge.identity());
  put_capabilities(out, judge.capabilities());
  put_text(out, "stage", request.stage);
  out.append(",\"question\":").append(question_json(request));
  put_reply(out, reply);
  out += '}';
  return out;
}

Recorder::Recorder(std::string path) : path_(std::move(path)) {
  file_ = open_alone(path_, 0600);
  if (file_ >= 0) return;
  if (errno == EWOULDBLOCK) {
    throw ConfigError(fmt::format(
        "{}: another assay is recording into it; choose another file for --record", path_));
  }
  throw ConfigError(fmt::format("{}: cannot be written ({}): choose another file for --record",
                                path_, std::strerror(errno)));
}

Recorder::~Recorder() { close(file_); }

void Recorder::write(const Judge& judge, const Request& request, const Reply& reply) {
  const std::string line = recording_line(judge, request, reply) + "\n";
  const std::scoped_lock lock(mutex_);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = ::write(file_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw WriteError(
          fmt::format("{}: the recording cannot be continued ({}); choose another file for "
                      "--record and run the same command again",
                      path_, std::strerror(errno)));
    }
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace assay
