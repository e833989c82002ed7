#include "ingest/input.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "assay/error.h"

namespace assay::ingest {
namespace {

std::size_t read_some(int fd, char* into, std::size_t size, const std::string& name) {
  for (;;) {
    const ssize_t got = ::read(fd, into, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR)
      throw ConfigError(fmt::format("{}: cannot be read: {}", name, strerror(errno)));
  }
}

void write_all(int fd, const char* data, std::size_t size, const std::string& name) {
  while (size > 0) {
    const ssize_t put = ::write(fd, data, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      throw ConfigError(fmt::format(
          "{}: cannot be kept in a temporary file: {} (set TMPDIR to a folder with room)", name,
          strerror(errno)));
    }
    data += put;
    size -= static_cast<std::size_t>(put);
  }
}

int open_temporary(const std::string& name) {
  const char* folder = std::getenv("TMPDIR");
  std::string path = fmt::format("{}/assay-XXXXXX", folder != nullptr && *folder ? folder : "/tmp");
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) {
    throw ConfigError(fmt::format("{}: no temporary file could be made at {}: {} (set TMPDIR)",
                                  name, path, strerror(errno)));
  }
  // Unlinked at once: nothing is left behind however the program ends.
  ::unlink(path.c_str());
  return fd;
}

std::string reason(int error) {
  if (error == ENOENT) return "no such file";
  if (error == EACCES || error == EPERM) return "not readable: permission denied";
  return fmt::format("cannot be opened: {}", strerror(error));
}

}  // namespace

Input::Input(const std::string& path) : name_(path == "-" ? "<stdin>" : path) {
  if (path.empty()) throw ConfigError("no input file was named (use - for standard input)");
  fd_ = path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                    : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) throw ConfigError(fmt::format("{}: {}", name_, reason(errno)));
  try {
    struct stat info {};
    if (::fstat(fd_, &info) != 0) throw ConfigError(fmt::format("{}: {}", name_, reason(errno)));
    if (S_ISDIR(info.st_mode)) {
      throw ConfigError(fmt::format("{}: is a directory, not a file of rows", name_));
    }
    // Standard input is copied even when it is a file: its offset is shared with whoever started
    // us.
    if (path == "-" || !S_ISREG(info.st_mode)) copy_to_temporary();
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

Input::~Input() {
  if (fd_ >= 0) ::close(fd_);
}

void Input::copy_to_temporary() {
  const int copy = open_temporary(name_);
  try {
    std::vector<char> buffer(std::size_t{1} << 18);
    while (const std::size_t got = read_some(fd_, buffer.data(), buffer.size(), name_)) {
      write_all(copy, buffer.data(), got, name_);
    }
  } catch (...) {
    ::close(copy);
    throw;
  }
  ::close(fd_);
  fd_ = copy;
  rewind();
}

std::size_t Input::read(char* into, std::size_t size) { return read_some(fd_, into, size, name_); }

void Input::rewind() {
  if (::lseek(fd_, 0, SEEK_SET) < 0) {
    throw ConfigError(fmt::format("{}: cannot be read a second time: {}", name_, strerror(errno)));
  }
}

}  // namespace assay::ingest
