// What the ledger costs: appending under load, looking up, and looking up in bulk inside a run.
// Usage: bench_ledger [RECORDS] [FOLDER] [GATHER_MS]
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include "assay/store.h"

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of the process, or of the calling thread: what the bench itself does is taken away from the
// ledger's.
double cpu_seconds(int whose = RUSAGE_SELF) {
  rusage usage{};
  ::getrusage(whose, &usage);
  const auto seconds = [](timeval t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long peak_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string key(std::uint64_t n) {
  std::mt19937_64 random(n * 2654435761u);
  std::string hex;
  for (int i = 0; i < 4; ++i) hex += fmt::format("{:016x}", random());
  return hex;
}

assay::Recorded record(const std::string& k, std::size_t question) {
  assay::Recorded recorded;
  recorded.key = k;
  recorded.judge = "openai:gpt-4o-mini";
  recorded.stage = "verdicts";
  recorded.question = std::string(question, 'q');
  recorded.reply.text = R"({"logical-continuity":"yes","topic":"no","entity":"yes"})";
  recorded.reply.probs = {{"logical-continuity", 0.97}, {"topic", 0.12}, {"entity", 0.88}};
  recorded.reply.usage = {1, 812, 512, 24, 0.000123, 412.5};
  return recorded;
}

void report(const char* what, std::size_t count, double wall, double cpu) {
  const auto n = static_cast<double>(count);
  fmt::print("{:<34} {:>9} records {:>10.0f}/s {:>7.1f} us wall {:>6.1f} us cpu each, peak {} MB\n",
             what, count, n / wall, 1e6 * wall / n, 1e6 * cpu / n, peak_mb());
}

// Keeps `in_flight` records on their way, as an engine does; `pace` seconds between answers, 0: at
// full speed.
void append(assay::Store& store, const std::vector<std::string>& keys, int in_flight, double pace,
            const char* what) {
  std::atomic<int> open = 0;
  std::atomic<double> waited = 0, longest = 0;
  const double cpu = cpu_seconds() - cpu_seconds(RUSAGE_THREAD);
  const auto start = Clock::now();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    while (open >= in_flight || since(start) < pace * static_cast<double>(i)) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    ++open;
    const auto asked = Clock::now();
    store.append(record(keys[i], 4000), [&, asked](std::string error) {
      if (!error.empty()) std::abort();
      const double wait = since(asked);
      waited = waited + wait;
      longest = std::max(longest.load(), wait);
      --open;
    });
  }
  while (open > 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  report(what, keys.size(), since(start), cpu_seconds() - cpu_seconds(RUSAGE_THREAD) - cpu);
  fmt::print("{:<34} durable after {:.2f} ms on average, {:.1f} at most\n", "",
             1e3 * waited / static_cast<double>(keys.size()), 1e3 * longest);
}

void find(assay::Store& store, const std::vector<std::string>& keys, int threads,
          const char* what) {
  const double cpu = cpu_seconds();
  const auto start = Clock::now();
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        for (std::size_t i = static_cast<std::size_t>(t); i < keys.size();
             i += static_cast<std::size_t>(threads)) {
          if (!store.find(keys[i])) std::abort();
        }
      });
    }
  }
  report(what, keys.size(), since(start), cpu_seconds() - cpu);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50000;
  const std::filesystem::path folder = argc > 2 ? argv[2] : std::filesystem::temp_directory_path();
  const std::filesystem::path file = folder / fmt::format("assay-bench-{}.db", ::getpid());
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < count; ++i) keys.push_back(key(i));
  assay::LedgerOptions options;
  options.path = file.string();
  if (argc > 3) options.gather_ms = std::atoi(argv[3]);
  {
    auto store = assay::open_ledger(options);
    append(*store, keys, 1024, 0, "append 4 KB, 1,024 in flight");
    std::vector<std::string> more;
    for (std::size_t i = 0; i < 10000; ++i) more.push_back(key(count + i));
    append(*store, more, 256, 1.0 / 5000, "append 4 KB, 5,000 a second");
  }
  fmt::print("file: {} MB\n", std::filesystem::file_size(file) >> 20);
  auto store = assay::open_ledger(options);
  find(*store, keys, 1, "find, in order, 1 thread");
  std::vector<std::string> shuffled = keys;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(1));
  find(*store, shuffled, 1, "find, at random, 1 thread");
  find(*store, shuffled, 2, "find, at random, 2 threads");
  assay::RunInfo run;
  run.id = "bench";
  store->begin_run(run);
  find(*store, keys, 1, "find and link, in order, 1 thread");
  const auto start = Clock::now();
  store->finish_run("bench", 0, "done");
  fmt::print("{:<34} {:.1f} ms\n", "finish_run", 1e3 * since(start));
  store.reset();
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
}
