#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// Starts the real binary, the way a user does. ASSAY_TEST_BINARY tries another one (an installed
// package).

namespace assay::test {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A folder of its own for every test program, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-meta-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = path_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string quoted(const std::string& word) {
  std::string text = "'";
  for (char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

inline Outcome run_assay(const std::vector<std::string>& words) {
  static const Scratch scratch;
  const char* other = std::getenv("ASSAY_TEST_BINARY");
  std::string command = quoted(other != nullptr ? other : ASSAY_BINARY);
  for (const std::string& word : words) command += " " + quoted(word);
  const std::string out = scratch.path("out");
  const std::string err = scratch.path("err");
  const int status =
      std::system((command + " >" + quoted(out) + " 2>" + quoted(err) + " </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(err)};
}

}  // namespace assay::test
