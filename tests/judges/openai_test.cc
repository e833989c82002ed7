// The real client against the real fake_server: what is its own; the ways a server can fail are in
// remote_test.cc.
#include "judges/openai.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

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
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kKey = "sk-test-0123456789abcdef";

OpenAiOptions options_for(const ServerProcess& server) {
  return test::options_for<OpenAiOptions>(server, kKey);
}

TEST(OpenAi, AnswersWithUsageAndPrice) {
  const ServerProcess server({"--latency-ms", "5", "--require-key", kKey});
  OpenAiOptions options = options_for(server);
  options.price = {2, 1, 10};
  const auto judge = make_openai(options);
  const Reply good = ask_one(*judge, yes_no("All is well."));
  EXPECT_EQ(good.status, Status::kOk) << good.problem;
  EXPECT_EQ(good.text, "yes");
  EXPECT_EQ(good.usage.calls, 1);
  EXPECT_GE(good.usage.ms, 5);
  EXPECT_GT(good.usage.prompt_tokens, 10);
  EXPECT_GT(good.usage.cached_tokens, 0);
  const double fresh = static_cast<double>(good.usage.prompt_tokens - good.usage.cached_tokens);
  EXPECT_NEAR(good.usage.usd,
              (fresh * 2 + static_cast<double>(good.usage.cached_tokens) +
               static_cast<double>(good.usage.completion_tokens) * 10) /
                  1e6,
              1e-12);
  EXPECT_EQ(ask_one(*judge, yes_no("This is BAD.")).text, "no");
  EXPECT_EQ(judge->name(), "openai:fake");
  EXPECT_EQ(judge->identity(), "openai/fake");
  EXPECT_THAT(judge->remarks(), IsEmpty());
}

TEST(OpenAi, AsksForTheShapeAndForProbabilities) {
  const ServerProcess server;
  const auto judge = make_openai(options_for(server));
  Request keyed = yes_no("x");
  keyed.messages[1].text = "<<<Units 12345678\nS1: fine\nS2: a BAD one\nUnits 12345678>>>\nJudge.";
  keyed.answer = Keyed{{"S1", "S2"}};
  EXPECT_EQ(ask_one(*judge, keyed).text, R"({"S1":"yes","S2":"no"})");
  Request graded = yes_no("BAD");
  graded.answer = Number{1, 5, 1};
  EXPECT_EQ(ask_one(*judge, graded).text, R"({"score":1})");
  Request probable = yes_no("fine");
  probable.sampling.probabilities = true;
  const Reply reply = ask_one(*judge, probable);
  ASSERT_EQ(reply.probs.size(), 2U);
  EXPECT_NEAR(reply.probs[0].p, 0.94, 1e-9) << "yes and Yes";
  EXPECT_NEAR(reply.probs[1].p, 0.05, 1e-9);
}

TEST(OpenAi, HugeRepliesAreTakenUpToTheLimit) {
  const ServerProcess huge({"--faults", "1", "--fault-kinds", "huge"});
  const Reply reply = ask_one(*make_openai(options_for(huge)), yes_no("x"));
  EXPECT_EQ(reply.status, Status::kOk);
  EXPECT_EQ(reply.text.size(), std::size_t{10} << 20U);
  const ServerProcess larger({"--faults", "1", "--fault-kinds", "too-large"});
  OpenAiOptions options = options_for(larger);
  options.max_retries = 1;
  const Reply refused = ask_one(*make_openai(options), yes_no("x"));
  EXPECT_EQ(refused.status, Status::kTransport);
  EXPECT_THAT(refused.problem, HasSubstr("larger than the limit"));
}

TEST(OpenAi, AtThirtyPercentFaultsEveryCallEndsAndNoneWrongly) {
  const ServerProcess server({"--faults", "0.3", "--seed", "3", "--fault-kinds",
                              "429,429-retry-ms,500,503,reset,timeout,truncated,invalid-json,wrong-"
                              "shape,html,empty-choices,refusal,drip"});
  OpenAiOptions options = options_for(server);
  options.timeout_s = 0.25;
  const auto judge = make_openai(options);
  std::vector<Request> requests;
  for (int i = 0; i < 400; ++i)
    requests.push_back(yes_no(std::to_string(i) + (i % 3 == 0 ? " BAD" : " good")));
  const std::vector<Reply> replies = ask_all(*judge, requests);
  int answered = 0;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (replies[i].status != Status::kOk) {
      EXPECT_NE(replies[i].problem, "");
      continue;
    }
    ++answered;
    EXPECT_EQ(replies[i].text, i % 3 == 0 ? "no" : "yes");
  }
  EXPECT_GT(answered, 370);
  EXPECT_THAT(judge->remarks(), Contains(HasSubstr("tries were repeated")));
}

TEST(OpenAi, ARedirectIsNotFollowedAndTheKeyStaysHome) {
  const std::string log = temporary("elsewhere");
  ServerProcess elsewhere({"--log", log});
  const ServerProcess server({"--faults", "1", "--fault-kinds", "redirect", "--redirect-to",
                              elsewhere.url() + "/chat/completions"});
  const Reply reply = ask_one(*make_openai(options_for(server)), yes_no("x"));
  EXPECT_EQ(reply.status, Status::kTransport);
  elsewhere.stop();
  EXPECT_THAT(lines_of(log), IsEmpty());
}

TEST(OpenAi, ARejectedParameterIsLeftOutFromThenOn) {
  const std::string log = temporary("reject");
  ServerProcess server(
      {"--reject", "seed,response_format,logprobs,max_tokens,temperature,top_p", "--log", log});
  OpenAiOptions options = options_for(server);
  options.max_in_flight = 1;
  const auto judge = make_openai(options);
  Request request = yes_no("fine");
  request.sampling.probabilities = true;
  request.sampling.top_p = 0.5;
  Request shaped = yes_no("fine");
  shaped.messages[1].text =
      "<<<Units 12345678\nS1: fine\nUnits 12345678>>>\nReply with a JSON object whose keys are "
      "exactly S1 and whose values are \"yes\" or \"no\".";
  shaped.answer = Keyed{{"S1"}};
  const Reply reply = ask_one(*judge, request);
  EXPECT_EQ(reply.text, "yes") << reply.problem;
  EXPECT_THAT(reply.probs, IsEmpty());
  EXPECT_EQ(ask_one(*judge, shaped).text, R"({"S1":"yes"})");
  EXPECT_EQ(ask_one(*judge, shaped).status, Status::kOk);
  EXPECT_THAT(judge->remarks(),
              testing::UnorderedElementsAre(
                  HasSubstr("rejects seed"), HasSubstr("rejects response_format"),
                  HasSubstr("rejects logprobs"), HasSubstr("max_completion_tokens"),
                  HasSubstr("rejects temperature"), HasSubstr("rejects top_p")));
  server.stop();
  EXPECT_EQ(lines_of(log).size(), 3U + 6U) << "each rejection costs one try";
}

TEST(OpenAi, ManyInFlightLearnARejectionOnce) {
  const ServerProcess server({"--reject", "seed", "--latency-ms", "5"});
  const auto judge = make_openai(options_for(server));
  std::vector<Request> requests;
  for (int i = 0; i < 100; ++i) requests.push_back(yes_no(std::to_string(i)));
  for (const Reply& reply : ask_all(*judge, requests)) EXPECT_EQ(reply.text, "yes");
  EXPECT_EQ(judge->remarks().size(), 1U);
}

// Another call holds the only place while the draws gather, so that no scheduling can part them.
TEST(OpenAi, DrawsOfOneQuestionTravelTogether) {
  for (const bool takes_n : {true, false}) {
    const std::string log = temporary(takes_n ? "n" : "no_n");
    std::vector<std::string> arguments = {"--log", log, "--latency-ms", "40"};
    if (!takes_n) arguments.emplace_back("--ignore-n");
    ServerProcess server(arguments);
    OpenAiOptions options = options_for(server);
    options.max_in_flight = 1;
    const auto judge = make_openai(options);
    std::vector<Request> requests = {yes_no("first")};
    for (int draw = 0; draw < 5; ++draw) {
      requests.push_back(yes_no("fine", draw));
      requests.back().sampling.temperature = 1;
    }
    Usage total;
    const std::vector<Reply> replies = ask_all(*judge, requests);
    for (std::size_t i = 1; i < replies.size(); ++i) {
      EXPECT_EQ(replies[i].text, "yes") << replies[i].problem;
      total += replies[i].usage;
    }
    EXPECT_EQ(total.calls, 5);
    EXPECT_EQ(total.completion_tokens, 10) << "five times two tokens, split without a rest";
    server.stop();
    EXPECT_EQ(lines_of(log).size(), takes_n ? 2U : 6U);
    EXPECT_EQ(judge->remarks().size(), takes_n ? 0U : 1U);
  }
}

TEST(OpenAi, DrawsAtTemperatureZeroAndOtherQuestionsAreNotMerged) {
  const std::string log = temporary("unmerged");
  ServerProcess server({"--log", log});
  const auto judge = make_openai(options_for(server));
  Request warm = yes_no("other");
  warm.sampling.temperature = 1;
  ask_all(*judge, {yes_no("fine", 0), yes_no("fine", 1), warm, yes_no("fine", 2)});
  server.stop();
  EXPECT_EQ(lines_of(log).size(), 4U);
}

TEST(OpenAi, SeveralServersShareTheWork) {
  const std::string log_a = temporary("a");
  const std::string log_b = temporary("b");
  ServerProcess a({"--log", log_a, "--latency-ms", "2"});
  ServerProcess b({"--log", log_b, "--latency-ms", "20"});
  OpenAiOptions options = options_for(a);
  options.base_urls.push_back(b.url());
  options.max_in_flight = 8;
  std::vector<Request> requests;
  for (int i = 0; i < 100; ++i) requests.push_back(yes_no(std::to_string(i)));
  for (const Reply& reply : ask_all(*make_openai(options), requests))
    EXPECT_EQ(reply.status, Status::kOk);
  a.stop();
  b.stop();
  EXPECT_EQ(lines_of(log_a).size() + lines_of(log_b).size(), 100U);
  EXPECT_GT(lines_of(log_a).size(), lines_of(log_b).size() * 2) << "the faster one does more";
  EXPECT_GT(lines_of(log_b).size(), 3U);
}

// One that nobody answers at has the fewest requests out, and must not draw all of them.
TEST(OpenAi, ADeadServerBesideALiveOneLosesNoCall) {
  ServerProcess dead;
  const std::string dead_url = dead.url();
  dead.stop();
  const ServerProcess live({"--latency-ms", "20"});
  OpenAiOptions options = options_for(live);
  options.base_urls.insert(options.base_urls.begin(), dead_url);
  options.max_in_flight = 16;
  options.max_retries = 1;
  std::vector<Request> requests;
  for (int i = 0; i < 200; ++i) requests.push_back(yes_no(std::to_string(i)));
  const auto judge = make_openai(options);
  for (const Reply& reply : ask_all(*judge, requests))
    EXPECT_EQ(reply.status, Status::kOk) << reply.problem;
  EXPECT_LT(judge->retries(), 60);
}

TEST(OpenAi, StopCallsBackWhatWasNotSentAndAwaitsWhatWas) {
  const std::string log = temporary("stop");
  ServerProcess server({"--latency-ms", "1000", "--log", log});
  OpenAiOptions options = options_for(server);
  options.max_in_flight = 4;
  const auto judge = make_openai(options);
  std::vector<Request> requests;
  for (int i = 0; i < 50; ++i) requests.push_back(yes_no(std::to_string(i)));
  std::thread stopper([&] {
    while (lines_of(log).size() < 4) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    judge->stop();
  });
  int answered = 0;
  for (const Reply& reply : ask_all(*judge, requests)) answered += reply.status == Status::kOk;
  stopper.join();
  server.stop();
  EXPECT_EQ(answered, 4);
  EXPECT_EQ(lines_of(log).size(), 4U);
}

TEST(OpenAi, StopEndsRetriesAtOnce) {
  for (const char* kind : {"500", "429", "reset"}) {
    const std::string log = temporary(std::string("stop") + kind);
    ServerProcess server({"--faults", "1", "--fault-kinds", kind, "--log", log});
    OpenAiOptions options = options_for(server);
    options.backoff_s = 60;  // longer than ask_all waits
    const auto judge = make_openai(options);
    std::thread stopper([&] {
      while (lines_of(log).size() < 8) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      judge->stop();
    });
    std::vector<Request> requests;
    for (int i = 0; i < 8; ++i) requests.push_back(yes_no(std::to_string(i)));
    for (const Reply& reply : ask_all(*judge, requests))
      EXPECT_EQ(reply.status, Status::kTransport) << kind;
    stopper.join();
  }
}

TEST(OpenAi, StaysBelowALimitOfTheServer) {
  const ServerProcess server({"--capacity", "8", "--latency-ms", "5"});
  OpenAiOptions options = options_for(server);
  options.max_in_flight = 64;
  std::vector<Request> requests;
  for (int i = 0; i < 600; ++i) requests.push_back(yes_no(std::to_string(i)));
  const auto judge = make_openai(options);
  for (const Reply& reply : ask_all(*judge, requests))
    EXPECT_EQ(reply.status, Status::kOk) << reply.problem;
}

TEST(OpenAi, AServerThatIsNotThereIsOneClearLine) {
  ServerProcess server;
  OpenAiOptions options = options_for(server);
  server.stop();
  options.max_retries = 1;
  std::vector<Request> requests;
  for (int i = 0; i < 200; ++i) requests.push_back(yes_no(std::to_string(i)));
  for (const Reply& reply : ask_all(*make_openai(options), requests)) {
    EXPECT_EQ(reply.status, Status::kTransport);
    EXPECT_THAT(reply.problem, HasSubstr("onnect"));
  }
}

TEST(OpenAi, DestructionAnswersEverything) {
  const ServerProcess server({"--faults", "1", "--fault-kinds", "timeout"});
  int done = 0;
  {
    OpenAiOptions options = options_for(server);
    options.max_in_flight = 4;
    const auto judge = make_openai(options);
    for (int i = 0; i < 10; ++i) {
      judge->ask(yes_no(std::to_string(i)), [&](const Reply& reply) {
        EXPECT_EQ(reply.status, Status::kTransport);
        ++done;
      });
    }
  }
  EXPECT_EQ(done, 10);
}

TEST(OpenAi, ProbeSaysWhatIsWrong) {
  ServerProcess server;
  const OpenAiOptions options = options_for(server);
  EXPECT_EQ(probe_openai(options), "");
  server.stop();
  EXPECT_THAT(probe_openai(options), HasSubstr("onnect"));
}

TEST(OpenAiOptions, WrongOnesAreRefusedWithoutSecrets) {
  struct Case {
    const char* what;
    std::function<void(OpenAiOptions&)> change;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"model", [](OpenAiOptions& o) { o.model.clear(); }, "needs a model"},
      {"no url", [](OpenAiOptions& o) { o.base_urls.clear(); }, "needs a base URL"},
      {"scheme", [](OpenAiOptions& o) { o.base_urls = {"file:///etc/passwd"}; },
       "http:// or https://"},
      {"none", [](OpenAiOptions& o) { o.base_urls = {"localhost:8000"}; }, "http:// or https://"},
      {"credentials",
       [](OpenAiOptions& o) { o.base_urls.emplace_back("https://me:hunter2@host/v1"); },
       "base URL 2 holds a user name"},
      {"host", [](OpenAiOptions& o) { o.base_urls = {"http:///v1"}; }, "names no host"},
      {"query", [](OpenAiOptions& o) { o.base_urls = {"http://h/v1?key=hunter2"}; }, "query"},
      {"line end", [](OpenAiOptions& o) { o.base_urls = {"http://h/\nv1"}; }, "control character"},
      {"key", [](OpenAiOptions& o) { o.api_key = "hunter2\r\nX: y"; }, "API key"},
      {"in flight", [](OpenAiOptions& o) { o.max_in_flight = 0; }, "in flight"},
      {"timeout", [](OpenAiOptions& o) { o.timeout_s = 0; }, "timeout"},
      {"rpm", [](OpenAiOptions& o) { o.rpm = -1; }, "rpm"},
  };
  for (const Case& c : cases) {
    OpenAiOptions options;
    options.model = "m";
    c.change(options);
    try {
      make_openai(options);
      ADD_FAILURE() << c.what << " is taken";
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(c.message), Not(HasSubstr("hunter2")))) << c.what;
    }
  }
}

}  // namespace
}  // namespace assay
