#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "fake_server/process.h"
#include "meta/run_assay.h"

namespace assay::test {

// The real binary in the background, for tests that end it early.
class Running {
 public:
  explicit Running(std::vector<std::string> words, const std::string& err = "/dev/null") {
    words.insert(words.begin(), ASSAY_BINARY);
    pid_ = fork();
    if (pid_ == 0) {
      const int null = open("/dev/null", O_RDWR);
      const int to = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(null, STDIN_FILENO);
      dup2(null, STDOUT_FILENO);
      dup2(to, STDERR_FILENO);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
  }
  ~Running() {
    if (pid_ > 0) end(SIGKILL);
  }
  void send(int signal) const { kill(pid_, signal); }
  // Sends the signal and waits; the exit code, or minus the signal that ended it.
  int end(int signal) {
    send(signal);
    return wait();
  }
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  bool ended(int& code) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == 0) return false;
    pid_ = -1;
    code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return true;
  }

 private:
  pid_t pid_ = -1;
};

// A scripted server with a log of what it was asked, and the command that asks it.
struct Bench {
  explicit Bench(std::vector<std::string> server_options)
      : log(scratch.path("server.log")), server(with_log(std::move(server_options), log)) {}
  static std::vector<std::string> with_log(std::vector<std::string> options,
                                           const std::string& log) {
    options.insert(options.end(), {"--mode", "scripted", "--log", log});
    return options;
  }
  std::vector<std::string> command(const std::string& rows, const std::string& store,
                                   const std::string& out, const char* jobs) const {
    return {"eval",    rows,  "-d", "fluency", "--judge", "openai:m", "--base-url", server.url(),
            "--store", store, "-j", jobs,      "--quiet", "-o",       out};
  }
  Scratch scratch;
  std::string log;
  fake::ServerProcess server;
};

// n rows of four sentences; one sentence in some of them is BAD to the scripted server.
inline std::string made_rows(int n) {
  std::string rows;
  for (int i = 0; i < n; ++i) {
    std::string output;
    for (int s = 0; s < 4; ++s)
      output += "Sentence " + std::to_string(s) + " of text " + std::to_string(i) +
                ((i * 7 + s) % 5 == 0 ? " is BAD" : " is fine") + ". ";
    rows += nlohmann::json({{"id", "r" + std::to_string(i)},
                            {"source", "A source for " + std::to_string(i) + "."},
                            {"output", output}})
                .dump() +
            "\n";
  }
  return rows;
}

inline std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

// The results without `usage`, which two live runs need not share.
inline std::string without_usage(const std::string& text) {
  std::string out;
  for (nlohmann::json& line : json_lines(text)) {
    line.erase("usage");
    out += line.dump() + "\n";
  }
  return out;
}

inline std::size_t lines_in(const std::string& path) {
  const std::string text = slurp(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace assay::test
