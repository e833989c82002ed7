#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "assay/judge.h"
#include "fake_server/process.h"

namespace assay::test {

// Asks all and waits for all; replies in the order asked.
inline std::vector<Reply> ask_all(Judge& judge, const std::vector<Request>& requests) {
  std::vector<Reply> replies(requests.size());
  std::vector<int> times(requests.size(), 0);
  std::size_t done = 0;
  std::mutex mutex;
  std::condition_variable all;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    judge.ask(requests[i], [&, i](Reply reply) {
      const std::scoped_lock lock(mutex);
      replies[i] = std::move(reply);
      EXPECT_EQ(++times[i], 1) << "done is called exactly once";
      ++done;
      all.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  EXPECT_TRUE(all.wait_for(lock, std::chrono::seconds(15), [&] { return done == requests.size(); }))
      << "hangs";
  return replies;
}

inline Reply ask_one(Judge& judge, const Request& request) { return ask_all(judge, {request})[0]; }

// A question the scripted server answers with no where the unit holds BAD.
inline Request yes_no(const std::string& unit, int draw = 0) {
  Request request;
  request.messages = {{Role::kSystem, "You judge."},
                      {Role::kUser, "<<<Unit 12345678\n" + unit +
                                        "\nUnit 12345678>>>\nAnswer with one word: yes or no."}};
  request.draw = draw;
  request.stage = "verdicts";
  return request;
}

// Options of any remote judge for this server: impatient, so that a test of failures is short.
template <class Options>
Options options_for(const fake::ServerProcess& server, const std::string& key) {
  Options options;
  options.model = "fake";
  options.base_urls = {server.url()};
  options.api_key = key;
  options.timeout_s = 5;
  options.backoff_s = 0.002;
  return options;
}

// A path of this process that nothing stands at yet.
inline std::string temporary(const std::string& name) {
  const std::string path =
      testing::TempDir() + "/assay_judges_" + std::to_string(getpid()) + "_" + name;
  std::remove(path.c_str());
  return path;
}

inline std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace assay::test
