#pragma once

#include <cstddef>
#include <string>

namespace assay::ingest {

// An opened input that can be read any number of times: a regular file as it is, anything else
// (standard input, a pipe, a process substitution) as a copy in an unlinked temporary file. Owns
// the descriptor.
class Input {
 public:
  // ConfigError with the path and the reason when it cannot be opened, is a directory, or cannot be
  // copied.
  explicit Input(const std::string& path);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& name() const { return name_; }
  // Up to `size` bytes; 0 at the end. ConfigError when the disk fails.
  std::size_t read(char* into, std::size_t size);
  void rewind();

 private:
  void copy_to_temporary();

  std::string name_;
  int fd_ = -1;
};

}  // namespace assay::ingest
