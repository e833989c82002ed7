// A chat-completions and Messages server that answers by rule and fails on order: what tests and
// benches drive the real client against. See options.h for what it can do and script.h for what it
// answers.
#include <fmt/core.h>
#include <signal.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <map>

#include "server.h"

namespace {

std::atomic<bool> stop = false;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) out.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> read_answers(const std::string& path) {
  std::vector<std::pair<std::string, std::string>> out;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    std::string reply = line.substr(tab + 1);
    for (std::size_t at = 0; (at = reply.find("\\n", at)) != std::string::npos; ++at) {
      reply.replace(at, 2, "\n");
    }
    out.emplace_back(line.substr(0, tab), std::move(reply));
  }
  return out;
}

bool read_options(int argc, char** argv, fake::Options& o) {
  const std::map<std::string, std::function<void(const std::string&)>> known = {
      {"--port", [&](const std::string& v) { o.port = std::stoi(v); }},
      {"--latency-ms", [&](const std::string& v) { o.latency_ms = std::stod(v); }},
      {"--mode", [&](const std::string& v) { o.mode = v; }},
      {"--reply", [&](const std::string& v) { o.reply = v; }},
      {"--answers", [&](const std::string& v) { o.answers = read_answers(v); }},
      {"--faults", [&](const std::string& v) { o.faults = std::stod(v); }},
      {"--fault-kinds", [&](const std::string& v) { o.fault_kinds = split(v); }},
      {"--seed", [&](const std::string& v) { o.seed = std::stoull(v); }},
      {"--reject",
       [&](const std::string& v) {
         for (const std::string& name : split(v)) o.reject.insert(name);
       }},
      {"--ignore-n", [&](const std::string& v) { o.ignore_n = v == "1"; }},
      {"--shuffle", [&](const std::string& v) { o.shuffle = v == "1"; }},
      {"--log", [&](const std::string& v) { o.log = v; }},
      {"--require-key", [&](const std::string& v) { o.require_key = v; }},
      {"--redirect-to", [&](const std::string& v) { o.redirect_to = v; }},
      {"--capacity", [&](const std::string& v) { o.capacity = std::stoi(v); }},
      {"--rate", [&](const std::string& v) { o.rate = std::stod(v); }},
  };
  for (int i = 1; i < argc; ++i) {
    const auto it = known.find(argv[i]);
    const bool flag = it != known.end() && (it->first == "--shuffle" || it->first == "--ignore-n");
    if (it == known.end() || (!flag && i + 1 == argc)) {
      fmt::print(stderr, "fake_server: unknown or unfinished option {}\n", argv[i]);
      return false;
    }
    it->second(flag ? "1" : argv[++i]);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  fake::Options options;
  try {
    if (!read_options(argc, argv, options)) return 2;
  } catch (const std::exception&) {
    fmt::print(stderr, "fake_server: an option needs a number\n");
    return 2;
  }
  struct sigaction action {};
  action.sa_handler = [](int) { stop = true; };
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return fake::serve(options, stop);
}
