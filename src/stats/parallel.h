#pragma once

#include <algorithm>
#include <thread>
#include <vector>

namespace assay {

// Calls body(begin, end) on disjoint ranges that cover 0 .. count, one per thread. The bodies write
// only to their own range, so what they compute must not depend on where the ranges end. threads 0:
// as many as the machine has.
template <class Body>
void in_parallel(int count, int threads, const Body& body) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  threads = std::clamp(threads, 1, std::max(1, count));
  std::vector<std::jthread> workers;
  for (int t = 1; t < threads; ++t) {
    const int begin = static_cast<int>(static_cast<long>(count) * t / threads);
    const int end = static_cast<int>(static_cast<long>(count) * (t + 1) / threads);
    workers.emplace_back([&body, begin, end] { body(begin, end); });
  }
  body(0, static_cast<int>(static_cast<long>(count) / threads));
}

}  // namespace assay
