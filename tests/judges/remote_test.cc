// The real clients against the real fake_server: every way a server can fail, one table for both
// protocols.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_server/process.h"
#include "judges/anthropic.h"
#include "judges/ask.h"
#include "judges/openai.h"

namespace assay {
namespace {

using fake::ServerProcess;
using test::ask_all;
using test::lines_of;
using test::yes_no;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKey = "sk-test-0123456789abcdef";

enum Provider { kOpenAi, kAnthropic };

std::unique_ptr<Judge> judge_of(Provider provider, const ServerProcess& server,
                                const std::function<void(RemoteOptions&)>& change) {
  if (provider == kOpenAi) {
    auto options = test::options_for<OpenAiOptions>(server, kKey);
    change(options);
    return make_openai(options);
  }
  auto options = test::options_for<AnthropicOptions>(server, kKey);
  change(options);
  return make_anthropic(options);
}

std::vector<Request> questions(int n) {
  std::vector<Request> requests;
  for (int i = 0; i < n; ++i) requests.push_back(yes_no("Unit " + std::to_string(i)));
  return requests;
}

struct FaultCase {
  Provider provider;
  const char* kind;
  double share;
  Status status;        // of every reply
  const char* problem;  // a part of it; empty: there is none
};

class Fault : public testing::TestWithParam<FaultCase> {};

TEST_P(Fault, EndsAsItShould) {
  const FaultCase& fault = GetParam();
  const ServerProcess server(
      {"--faults", std::to_string(fault.share), "--fault-kinds", fault.kind});
  const auto judge = judge_of(fault.provider, server, [&](RemoteOptions& options) {
    options.timeout_s = 0.15;
    options.max_retries = fault.share < 1 ? 12 : 2;
  });
  for (const Reply& reply : ask_all(*judge, questions(12))) {
    EXPECT_EQ(reply.status, fault.status) << reply.problem;
    EXPECT_EQ(reply.text == "yes", fault.status == Status::kOk);
    EXPECT_THAT(reply.problem, HasSubstr(fault.problem));
    EXPECT_THAT(reply.problem, AllOf(Not(HasSubstr(kKey)), Not(HasSubstr("0123456789"))));
    EXPECT_THAT(reply.problem, Not(HasSubstr("\n")));
    if (fault.status == Status::kTransport) EXPECT_EQ(reply.usage.calls, 0);
  }
}

std::vector<FaultCase> passing() {
  std::vector<FaultCase> cases;
  for (const Provider provider : {kOpenAi, kAnthropic}) {
    for (const char* kind : {"429", "429-retry-ms", "500", "503", "reset", "truncated",
                             "invalid-json", "wrong-shape", "html", "empty-choices"})
      cases.push_back({provider, kind, 0.4, Status::kOk, ""});
    for (const char* kind : {"timeout", "drip"})
      cases.push_back({provider, kind, 0.3, Status::kOk, ""});
  }
  cases.push_back({kAnthropic, "529", 0.4, Status::kOk, ""});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Passing, Fault, testing::ValuesIn(passing()));

// What both protocols say alike, and then what each has of its own.
std::vector<FaultCase> lasting() {
  constexpr Status kRefused = Status::kRefused;
  constexpr Status kTransport = Status::kTransport;
  std::vector<FaultCase> cases;
  for (const Provider provider : {kOpenAi, kAnthropic}) {
    cases.insert(cases.end(),
                 {{provider, "500", 1, kTransport, "HTTP 500 after 3 tries: Internal"},
                  {provider, "reset", 1, kTransport, "broken reply after 3 tries"},
                  {provider, "timeout", 1, kTransport, "timeout after 3 tries"},
                  {provider, "drip", 1, kTransport, "timeout after 3 tries"},
                  {provider, "truncated", 1, kTransport, "broken reply after 3 tries"},
                  {provider, "invalid-json", 1, kTransport, "after 3 tries: the reply is not JSON"},
                  {provider, "html", 1, kTransport, "HTML page"},
                  {provider, "refusal", 1, kRefused, "declined"},
                  {provider, "401", 1, kTransport, "does not accept the API key"},
                  {provider, "404", 1, kTransport, "no such model or path"},
                  {provider, "context", 1, kRefused, "too long for the model's context"},
                  {provider, "redirect", 1, kTransport, "no redirect is followed"}});
  }
  cases.insert(cases.end(),
               {{kOpenAi, "429", 1, kTransport, "HTTP 429 after 3 tries: Rate limit"},
                {kOpenAi, "503", 1, kTransport, "HTTP 503 after 3 tries: overloaded"},
                {kOpenAi, "wrong-shape", 1, kTransport, "holds no choices"},
                {kOpenAi, "empty-choices", 1, kTransport, "choices is empty"},
                {kOpenAi, "refusal", 1, kRefused, "declined: I cannot help"},
                {kOpenAi, "quota", 1, kTransport, "quota spent"},
                {kOpenAi, "402", 1, kTransport, "quota spent"},
                {kAnthropic, "429", 1, kTransport, "HTTP 429 after 3 tries: This request would"},
                {kAnthropic, "529", 1, kTransport, "HTTP 529 after 3 tries: Overloaded"},
                {kAnthropic, "wrong-shape", 1, kTransport, "holds no content"},
                {kAnthropic, "empty-choices", 1, kTransport, "holds no content"},
                {kAnthropic, "credit", 1, kTransport, "quota spent"}});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Lasting, Fault, testing::ValuesIn(lasting()));

TEST(Remote, WhatNoRetryCanMendIsAskedOnce) {
  const std::vector<std::pair<Provider, const char*>> cases = {{kOpenAi, "quota"},
                                                               {kOpenAi, "401"},
                                                               {kOpenAi, "redirect"},
                                                               {kAnthropic, "credit"},
                                                               {kAnthropic, "401"}};
  for (const auto& [provider, kind] : cases) {
    const std::string log = test::temporary(kind);
    ServerProcess server({"--faults", "1", "--fault-kinds", kind, "--log", log});
    const auto judge = judge_of(provider, server, [](RemoteOptions& o) { o.max_in_flight = 1; });
    for (const Reply& reply : ask_all(*judge, questions(50)))
      EXPECT_EQ(reply.status, Status::kTransport);
    server.stop();
    EXPECT_EQ(lines_of(log).size(), 1U) << kind;
  }
}

}  // namespace
}  // namespace assay
