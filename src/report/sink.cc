#include "report/sink.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "assay/error.h"
#include "assay/write_error.h"
#include "core/open_alone.h"

namespace assay::report {
namespace {

constexpr std::size_t kFull = std::size_t{1} << 16;

// A link keeps being a link: the file it points at is the one that is replaced.
std::string resolved(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

Sink::Sink(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw ConfigError("-o: the name of the output file is empty");
  if (path_ == "-") {
    fd_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else {
    open_file();
  }
  if (fd_ < 0) {
    throw ConfigError(fmt::format("{}: cannot be written: {}", path_, strerror(errno)));
  }
}

void Sink::open_file() {
  struct stat info {};
  const bool exists = ::stat(path_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    throw ConfigError(fmt::format("{}: is a directory; name a file in it", path_));
  }
  if (exists && !S_ISREG(info.st_mode)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    return;
  }
  if (exists) path_ = resolved(path_);
  partial_ = path_ + ".partial";
  fd_ = open_alone(partial_, 0666);
  if (fd_ < 0 && errno == ENOENT) {
    throw ConfigError(fmt::format("{}: its folder does not exist; make it first", path_));
  }
  if (fd_ < 0 && errno == EWOULDBLOCK) {
    throw ConfigError(
        fmt::format("{}: another assay is writing it; wait for that, or name another file", path_));
  }
}

Sink::~Sink() {
  if (fd_ < 0) return;
  try {
    flush();  // a run that was broken off keeps what it had, in FILE.partial
  } catch (const WriteError&) {
  }
  ::close(fd_);
}

void Sink::fail(int error) const {
  const std::string left =
      partial_.empty() ? "" : fmt::format(" (what was written is in {})", partial_);
  throw WriteError(fmt::format("{}: cannot be written: {}{}", path_ == "-" ? "<stdout>" : path_,
                               error == ENOSPC
                                   ? "the disk is full; make room and run the same command again"
                                   : strerror(error),
                               left));
}

void Sink::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t put = ::write(fd_, left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      const int error = errno;
      buffer_.clear();  // not tried again by the destructor
      fail(error);
    }
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  buffer_.clear();
}

void Sink::write(std::string_view text) {
  buffer_ += text;
  flush_if_full();
}

void Sink::flush_if_full() {
  if (buffer_.size() >= kFull) flush();
}

void Sink::finish() {
  if (fd_ < 0) return;
  flush();
  if (!partial_.empty() && ::fsync(fd_) != 0) fail(errno);
  // Renamed while it is still locked: another run must not find it at the old name.
  if (!partial_.empty() && ::rename(partial_.c_str(), path_.c_str()) != 0) fail(errno);
  if (::close(std::exchange(fd_, -1)) != 0) fail(errno);
}

}  // namespace assay::report
