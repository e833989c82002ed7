#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace assay {

// A stream of blocks worked on by several threads, with input and output in order and no more than
// one block per thread in memory:
//   read()              -> std::optional<Block>; called by one thread at a time, nothing at the end
//   work(thread, block) -> Done; called by all threads at once
//   write(done)         called by one thread at a time, in the order of read
// The first exception of any of them ends the stream and is thrown here.
template <class Read, class Work, class Write>
void in_order(std::size_t threads, Read read, Work work, Write write) {
  std::mutex reading;
  std::mutex writing;
  std::condition_variable turn;
  std::size_t next_in = 0;     // guarded by reading
  bool ended = false;          // guarded by reading
  std::size_t next_out = 0;    // guarded by writing
  std::exception_ptr failure;  // guarded by writing
  const auto failed = [&] {
    const std::lock_guard lock(writing);
    return failure != nullptr;
  };
  const auto one_block = [&](std::size_t thread) {
    std::size_t number = 0;
    auto block = [&] {
      const std::lock_guard lock(reading);
      auto result = ended || failed() ? decltype(read()){} : read();
      if (result) number = next_in++;
      ended = ended || !result;
      return result;
    }();
    if (!block) return false;
    auto done = work(thread, std::move(*block));
    std::unique_lock lock(writing);
    turn.wait(lock, [&] { return failure != nullptr || next_out == number; });
    if (failure) return false;
    write(std::move(done));
    ++next_out;
    turn.notify_all();
    return true;
  };
  const auto run = [&](std::size_t thread) {
    try {
      while (one_block(thread)) {
      }
    } catch (...) {
      const std::lock_guard lock(writing);
      if (!failure) failure = std::current_exception();
      turn.notify_all();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(run, t);
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace assay
