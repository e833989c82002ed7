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
using test::temporary;
using test::yes_no;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kKey = "sk-ant-0123456789abcdef";

AnthropicOptions options_for(const ServerProcess& server) {
  return test::options_for<AnthropicOptions>(server, kKey);
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
