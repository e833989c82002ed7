#pragma once

#include <string>
#include <string_view>

namespace assay::report {

// Where a report goes. A file is written as FILE.partial and takes its name only in finish(), after
// a sync, so nothing half-written ever has the final name; what a broken run leaves stays in
// FILE.partial. "-" is standard output; a device or pipe is written as it is. Thread-compatible.
class Sink {
 public:
  // ConfigError up front: an empty path, a directory, a folder that does not exist or may not be
  // written.
  explicit Sink(std::string path);
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // Buffered; WriteError when the bytes cannot be stored.
  void write(std::string_view text);
  // The buffer of the next write, to build a line in place: append, then call flush_if_full().
  std::string& buffer() { return buffer_; }
  void flush_if_full();
  void finish();

 private:
  void flush();
  void open_file();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string partial_;  // empty: written as it is
  std::string buffer_;
  int fd_ = -1;
};

}  // namespace assay::report
