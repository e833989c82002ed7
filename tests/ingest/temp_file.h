#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::testing {

// A file of its own in a folder of its own, removed at the end. Thread-compatible.
class TempFile {
 public:
  explicit TempFile(std::string_view name, std::string_view content = {}) {
    char folder[] = "/tmp/assay-test-XXXXXX";
    folder_ = ::mkdtemp(folder);
    path_ = folder_ + "/" + std::string(name);
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TempFile() {
    ::unlink(path_.c_str());
    ::unlink((path_ + ".partial").c_str());
    ::rmdir(folder_.c_str());
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::string path_;
};

// A file in memory with a path to open it by: for tests that read thousands of files.
class MemoryFile {
 public:
  MemoryFile()
      : fd_(::memfd_create("assay-test", 0)), path_("/proc/self/fd/" + std::to_string(fd_)) {}
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& holding(std::string_view content) const {
    const bool stored =
        ::ftruncate(fd_, 0) == 0 &&
        ::pwrite(fd_, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size());
    if (!stored) throw std::runtime_error("a memory file could not be written");
    return path_;
  }

 private:
  int fd_;
  std::string path_;
};

}  // namespace assay::testing
