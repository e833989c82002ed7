#pragma once

#include <atomic>

#include "options.h"

namespace fake {

// Serves until `stop` is set (by a signal handler). Prints "port N" when it listens. One thread:
// HTTP/1.1 with keep-alive over epoll; POST */chat/completions, POST /v1/messages,
// GET */models, GET /stats.
int serve(const Options& options, const std::atomic<bool>& stop);

}  // namespace fake
