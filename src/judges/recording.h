#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "assay/judge.h"

namespace assay {

// Writes every question and reply to a file (--record), one JSON object a line; docs/judges.md has
// the format. No key and no URL is in it: a Request and a Judge's name hold none. Thread-safe.
class Recorder {
 public:
  // Truncates the file; readable by its owner only. Throws ConfigError where it cannot be written.
  explicit Recorder(std::string path);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // One line, handed to the system before it returns. Throws std::runtime_error on a full disk: a
  // recording with holes would replay as another run.
  void write(const Judge& judge, const Request& request, const Reply& reply);

 private:
  std::string path_;
  int file_ = -1;
  std::mutex mutex_;
};

// The line without its end, for Recorder and tests.
std::string recording_line(const Judge& judge, const Request& request, const Reply& reply);

}  // namespace assay
