// The Messages judge against a server that speaks that protocol and is strict about it. What it
// shares with openai: (queues, retries, limits) is tested there; here is what differs.
#include "judges/anthropic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/error.h"
#include "fake_server/process.h"
#include "judges/ask.h"

namespace assay {
namespace {

using fake::ServerProcess;
using test::ask_all;
using test::ask_one;
using test::lines_of;
using test::yes_no;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kKey = "sk-ant-0123456789abcdef";

AnthropicOptions options_for(const ServerProcess& server) {
  AnthropicOptions options;
  options.model = "fake";
  options.base_urls = {server.url()};
  options.api_key = kKey;
  options.timeout_s = 5;
  options.backoff_s = 0.002;
  return options;
}

// Siblings: the same long article before different units.
Request sibling(const std::string& unit, std::size_t prefix, std::size_t words = 2000) {
  std::string article;
  for (std::size_t i = 0; i < words; ++i) article += "word ";
  const std::string shared = "<<<Article 1234567" + std::to_string(prefix) + "\n" + article +
                             "\nArticle 1234567" + std::to_string(prefix) + ">>>";
  Request request = yes_no(unit);
  request.shared_messages = 2;
  request.shared_bytes = shared.size();
  request.prefix = prefix;
  request.messages[1].text = shared + "\n\n" + request.messages[1].text;
  return request;
}

std::string temporary(const std::string& name) {
  const std::string path =
      testing::TempDir() + "/assay_anthropic_" + std::to_string(getpid()) + "_" + name;
  std::remove(path.c_str());
  return path;
}

TEST(Anthropic, AnswersWithUsageAndPrice) {
  const ServerProcess server({"--latency-ms", "5", "--require-key", kKey});
  AnthropicOptions options = options_for(server);
  options.price = {2, 1, 10, 3};
  const auto judge = make_anthropic(options);
  const Reply good = ask_one(*judge, yes_no("All is well."));
  EXPECT_EQ(good.status, Status::kOk) << good.problem;
  EXPECT_EQ(good.text, "yes");
  EXPECT_EQ(good.usage.calls, 1);
  EXPECT_GE(good.usage.ms, 5);
  EXPECT_GT(good.usage.prompt_tokens, 10);
  EXPECT_EQ(good.usage.cached_tokens, 0);
  EXPECT_NEAR(good.usage.usd,
              (static_cast<double>(good.usage.prompt_tokens) * 2 +
               static_cast<double>(good.usage.completion_tokens) * 10) /
                  1e6,
              1e-12);
  EXPECT_EQ(ask_one(*judge, yes_no("This is BAD.")).text, "no");
  EXPECT_THAT(judge->remarks(), IsEmpty());
}

TEST(Anthropic, SaysWhoItIs) {
  AnthropicOptions options;
  options.model = "claude-x";
  EXPECT_EQ(make_anthropic(options)->name(), "anthropic:claude-x");
  EXPECT_EQ(make_anthropic(options)->identity(), "anthropic/claude-x");
  options.judge_id = "strict";
  const auto judge = make_anthropic(options);
  EXPECT_EQ(judge->identity(), "anthropic/claude-x/strict");
  EXPECT_FALSE(judge->capabilities().probabilities);
  EXPECT_FALSE(judge->capabilities().log_likelihood);
  EXPECT_TRUE(judge->capabilities().generation && judge->capabilities().grades);
}

TEST(Anthropic, TheBaseUrlMayEndInV1OrNot) {
  const ServerProcess server;
  const std::string bare = "http://127.0.0.1:" + std::to_string(server.port());
  for (const std::string& url : {bare, bare + "/", bare + "/v1", bare + "/v1/"}) {
    AnthropicOptions options = options_for(server);
    options.base_urls = {url};
    EXPECT_EQ(ask_one(*make_anthropic(options), yes_no("x")).text, "yes") << url;
  }
}

struct FaultCase {
  const char* kind;
  double share;
  Status status;        // of every reply
  const char* problem;  // a part of it; empty: there is none
};

class AnthropicFault : public testing::TestWithParam<FaultCase> {};

TEST_P(AnthropicFault, EndsAsItShould) {
  const FaultCase& fault = GetParam();
  const ServerProcess server(
      {"--faults", std::to_string(fault.share), "--fault-kinds", fault.kind});
  AnthropicOptions options = options_for(server);
  options.timeout_s = 0.15;
  options.max_retries = fault.share < 1 ? 12 : 2;
  const auto judge = make_anthropic(options);
  std::vector<Request> requests;
  for (int i = 0; i < 12; ++i) requests.push_back(yes_no("Unit " + std::to_string(i)));
  for (const Reply& reply : ask_all(*judge, requests)) {
    EXPECT_EQ(reply.status, fault.status) << reply.problem;
    EXPECT_EQ(reply.text == "yes", fault.status == Status::kOk);
    EXPECT_THAT(reply.problem, HasSubstr(fault.problem));
    EXPECT_THAT(reply.problem, AllOf(Not(HasSubstr(kKey)), Not(HasSubstr("0123456789"))));
  }
}

constexpr Status kOk = Status::kOk;
constexpr Status kRefused = Status::kRefused;
constexpr Status kTransport = Status::kTransport;

INSTANTIATE_TEST_SUITE_P(
    Passing, AnthropicFault,
    testing::Values(FaultCase{"429", 0.4, kOk, ""}, FaultCase{"429-retry-ms", 0.4, kOk, ""},
                    FaultCase{"529", 0.4, kOk, ""}, FaultCase{"500", 0.4, kOk, ""},
                    FaultCase{"reset", 0.4, kOk, ""}, FaultCase{"timeout", 0.3, kOk, ""},
                    FaultCase{"truncated", 0.4, kOk, ""}, FaultCase{"html", 0.4, kOk, ""},
                    FaultCase{"invalid-json", 0.4, kOk, ""}, FaultCase{"wrong-shape", 0.4, kOk, ""},
                    FaultCase{"empty-choices", 0.4, kOk, ""}));

INSTANTIATE_TEST_SUITE_P(
    Lasting, AnthropicFault,
    testing::Values(FaultCase{"429", 1, kTransport, "HTTP 429 after 3 tries: This request would"},
                    FaultCase{"529", 1, kTransport, "HTTP 529 after 3 tries: Overloaded"},
                    FaultCase{"500", 1, kTransport, "HTTP 500 after 3 tries: Internal"},
                    FaultCase{"invalid-json", 1, kTransport, "the reply is not JSON"},
                    FaultCase{"wrong-shape", 1, kTransport, "holds no content"},
                    FaultCase{"empty-choices", 1, kTransport, "holds no content"},
                    FaultCase{"html", 1, kTransport, "HTML page"},
                    FaultCase{"refusal", 1, kRefused, "declined"},
                    FaultCase{"credit", 1, kTransport, "quota spent"},
                    FaultCase{"401", 1, kTransport, "does not accept the API key"},
                    FaultCase{"404", 1, kTransport, "no such model or path"},
                    FaultCase{"context", 1, kRefused, "too long for the model's context"},
                    FaultCase{"redirect", 1, kTransport, "no redirect is followed"}));

TEST(Anthropic, ASpentBalanceAndAWrongKeyAreAskedOnce) {
  for (const char* kind : {"credit", "401"}) {
    const std::string log = temporary(kind);
    ServerProcess server({"--faults", "1", "--fault-kinds", kind, "--log", log});
    AnthropicOptions options = options_for(server);
    options.max_in_flight = 1;
    std::vector<Request> requests;
    for (int i = 0; i < 50; ++i) requests.push_back(yes_no(std::to_string(i)));
    for (const Reply& reply : ask_all(*make_anthropic(options), requests))
      EXPECT_EQ(reply.status, Status::kTransport);
    server.stop();
    EXPECT_EQ(lines_of(log).size(), 1U) << kind;
  }
}

// The first sibling fills the server's cache; the others wait for it and then read from it, all at
// once. Sent together, each would have paid for filling it.
TEST(Anthropic, SiblingsReadTheSharedPartFromTheCache) {
  const ServerProcess server({"--latency-ms", "20"});
  AnthropicOptions options = options_for(server);
  options.price = {10, 1, 0, 12};
  const auto judge = make_anthropic(options);
  std::vector<Request> requests;
  for (int i = 0; i < 8; ++i) {
    requests.push_back(sibling("unit " + std::to_string(i), 1));
    requests.push_back(sibling("unit " + std::to_string(i), 2));
  }
  const std::vector<Reply> replies = ask_all(*judge, requests);
  for (std::size_t i = 0; i < replies.size(); ++i) {
    const Usage& usage = replies[i].usage;
    EXPECT_EQ(replies[i].text, "yes") << replies[i].problem;
    if (i < 2) {
      EXPECT_EQ(usage.cached_tokens, 0) << i;
      EXPECT_GT(usage.usd, static_cast<double>(usage.prompt_tokens) * 11 / 1e6);
    } else {
      EXPECT_GT(usage.cached_tokens, 2000) << i;
      EXPECT_LT(usage.usd, static_cast<double>(usage.prompt_tokens) * 2 / 1e6);
    }
  }
}

TEST(Anthropic, SiblingsOfOneThatFailsAreStillAsked) {
  const ServerProcess server({"--faults", "1", "--fault-kinds", "refusal"});
  const auto judge = make_anthropic(options_for(server));
  std::vector<Request> requests;
  for (int i = 0; i < 5; ++i) requests.push_back(sibling(std::to_string(i), 1));
  for (const Reply& reply : ask_all(*judge, requests)) EXPECT_EQ(reply.status, Status::kRefused);
}

TEST(Anthropic, AShortSharedPartWaitsForNobody) {
  const ServerProcess server({"--latency-ms", "40"});
  const auto judge = make_anthropic(options_for(server));
  std::vector<Request> requests;
  for (int i = 0; i < 8; ++i) requests.push_back(sibling(std::to_string(i), 1, 20));
  for (const Reply& reply : ask_all(*judge, requests)) EXPECT_EQ(reply.usage.cached_tokens, 0);
}

TEST(Anthropic, ARejectedParameterIsLeftOutFromThenOn) {
  const std::string log = temporary("reject");
  ServerProcess server({"--reject", "cache_control,temperature,top_p", "--log", log});
  AnthropicOptions options = options_for(server);
  options.max_in_flight = 1;
  const auto judge = make_anthropic(options);
  Request request = sibling("fine", 1);
  request.sampling.top_p = 0.5;
  EXPECT_EQ(ask_one(*judge, request).text, "yes");
  EXPECT_EQ(ask_one(*judge, request).text, "yes");
  EXPECT_THAT(judge->remarks(), testing::UnorderedElementsAre(HasSubstr("rejects cache_control"),
                                                              HasSubstr("rejects temperature"),
                                                              HasSubstr("rejects top_p")));
  server.stop();
  EXPECT_EQ(lines_of(log).size(), 2U + 3U) << "each rejection costs one try";
}

TEST(Anthropic, DrawsAreAskedOneByOne) {
  const std::string log = temporary("draws");
  ServerProcess server({"--log", log});
  const auto judge = make_anthropic(options_for(server));
  std::vector<Request> requests;
  for (int draw = 0; draw < 5; ++draw) {
    requests.push_back(yes_no("fine", draw));
    requests.back().sampling.temperature = 1;
  }
  for (const Reply& reply : ask_all(*judge, requests)) EXPECT_EQ(reply.text, "yes");
  server.stop();
  EXPECT_EQ(lines_of(log).size(), 5U);
}

TEST(Anthropic, SeveralServersShareTheWork) {
  const std::string log_a = temporary("a");
  const std::string log_b = temporary("b");
  ServerProcess a({"--log", log_a, "--latency-ms", "2"});
  ServerProcess b({"--log", log_b, "--latency-ms", "2"});
  AnthropicOptions options = options_for(a);
  options.base_urls.push_back(b.url());
  std::vector<Request> requests;
  for (int i = 0; i < 100; ++i) requests.push_back(yes_no(std::to_string(i)));
  for (const Reply& reply : ask_all(*make_anthropic(options), requests))
    EXPECT_EQ(reply.status, Status::kOk);
  a.stop();
  b.stop();
  EXPECT_EQ(lines_of(log_a).size() + lines_of(log_b).size(), 100U);
  EXPECT_GT(lines_of(log_a).size(), 20U);
  EXPECT_GT(lines_of(log_b).size(), 20U);
}

TEST(Anthropic, ProbeSaysWhatIsWrong) {
  ServerProcess server;
  const AnthropicOptions options = options_for(server);
  EXPECT_EQ(probe_anthropic(options), "");
  server.stop();
  EXPECT_THAT(probe_anthropic(options), HasSubstr("onnect"));
}

TEST(AnthropicOptions, WrongOnesAreRefusedWithoutSecrets) {
  const auto message = [](const AnthropicOptions& options) -> std::string {
    try {
      make_anthropic(options);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "taken";
  };
  AnthropicOptions options;
  EXPECT_THAT(message(options), HasSubstr("anthropic: needs a model, as in --judge anthropic:"));
  options.model = "m";
  options.base_urls = {"https://me:hunter2@host"};
  EXPECT_THAT(message(options),
              AllOf(HasSubstr("put the key in ANTHROPIC_API_KEY"), Not(HasSubstr("hunter2"))));
  options.base_urls = {"host"};
  EXPECT_THAT(message(options), HasSubstr("http:// or https://"));
}

}  // namespace
}  // namespace assay
