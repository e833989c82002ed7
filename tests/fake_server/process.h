#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace fake {

// A program that prints the port it listens on, running beside a test; ended with it.
class PortProcess {
 public:
  PortProcess(const std::string& program, std::vector<std::string> arguments) {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) throw std::runtime_error("no pipe");
    arguments.insert(arguments.begin(), program);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // also when the test is killed
      dup2(pipe_ends[1], STDOUT_FILENO);
      close(pipe_ends[0]);
      close(pipe_ends[1]);
      std::vector<char*> argv;
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    close(pipe_ends[1]);
    std::FILE* out = fdopen(pipe_ends[0], "r");
    const int read = std::fscanf(out, "port %d", &port_);
    std::fclose(out);
    if (read != 1) throw std::runtime_error(program + " did not start");
    setenv("NO_PROXY", "127.0.0.1", 1);
    setenv("no_proxy", "127.0.0.1", 1);  // which curl looks at first
  }
  ~PortProcess() { stop(); }
  PortProcess(const PortProcess&) = delete;
  PortProcess& operator=(const PortProcess&) = delete;

  void stop() {
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  int port() const { return port_; }
  int pid() const { return pid_; }

 private:
  int pid_ = -1;
  int port_ = 0;
};

// FAKE_SERVER is its path (tests/CMakeLists.txt).
class ServerProcess : public PortProcess {
 public:
  explicit ServerProcess(std::vector<std::string> arguments = {})
      : PortProcess(FAKE_SERVER, std::move(arguments)) {}
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port()) + "/v1"; }
};

}  // namespace fake
