// Bodies and replies of the Messages API, without a server.
#include "judges/anthropic_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "judges/limiter.h"
#include "judges/prefix_cache.h"

namespace assay {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Request request_of(std::vector<Message> messages, std::size_t shared, std::size_t bytes) {
  Request request;
  request.messages = std::move(messages);
  request.shared_messages = shared;
  request.shared_bytes = bytes;
  request.sampling.temperature = 0.5;
  request.sampling.max_tokens = 77;
  return request;
}

Json body_of(const Request& request, bool mark, Dialect dialect = {}) {
  return Json::parse(messages_body("m", request, dialect, mark).json);
}

TEST(Messages, TheMarkStandsWhereTheSharedPartEnds) {
  const Json mark = {{"type", "ephemeral"}};
  const Json body = body_of(
      request_of({{Role::kSystem, "be fair"}, {Role::kUser, "long text\n\nasked"}}, 2, 9), true);
  EXPECT_EQ(body, Json({{"model", "m"},
                        {"max_tokens", 77},
                        {"temperature", 0.5},
                        {"system", {{{"type", "text"}, {"text", "be fair"}}}},
                        {"messages",
                         {{{"role", "user"},
                           {"content",
                            {{{"type", "text"}, {"text", "long text"}, {"cache_control", mark}},
                             {{"type", "text"}, {"text", "\n\nasked"}}}}}}}}));
}

TEST(Messages, TheMarkStandsOnceWhateverTheTurns) {
  struct Case {
    const char* what;
    std::vector<Message> messages;
    std::size_t shared, bytes;
    const char* marked;  // the text of the block with the mark; empty: none
  };
  const std::vector<Case> cases = {
      {"tail in a turn of its own",
       {{Role::kUser, "ask"}, {Role::kAssistant, "told"}, {Role::kUser, "tail"}},
       2,
       4,
       "told"},
      {"only the system turn is shared",
       {{Role::kSystem, "rules"}, {Role::kUser, "tail"}},
       1,
       5,
       "rules"},
      {"a repair follows",
       {{Role::kUser, "long|tail"}, {Role::kAssistant, "what?"}, {Role::kUser, "again"}},
       1,
       5,
       "long|"},
      {"a tail of white space", {{Role::kUser, "long \n"}}, 1, 4, "long"},
      {"nothing is shared", {{Role::kUser, "all"}}, 0, 0, ""},
  };
  for (const Case& c : cases) {
    const std::string json =
        messages_body("m", request_of(c.messages, c.shared, c.bytes), {}, true).json;
    const Json body = Json::parse(json);
    std::vector<std::string> marked;
    const auto look = [&](const Json& blocks) {
      for (const Json& block : blocks) {
        EXPECT_NE(block.at("text").get<std::string>().find_first_not_of(" \n"), std::string::npos);
        if (block.contains("cache_control")) marked.push_back(block.at("text"));
      }
    };
    if (body.contains("system")) look(body.at("system"));
    for (const Json& turn : body.at("messages")) look(turn.at("content"));
    EXPECT_EQ(marked,
              *c.marked == 0 ? std::vector<std::string>{} : std::vector<std::string>{c.marked})
        << c.what;
    EXPECT_EQ(messages_body("m", request_of(c.messages, c.shared, c.bytes), {}, false)
                  .json.find("cache_control"),
              std::string::npos);
  }
}

TEST(Messages, WhatTheServerRejectsIsNotSent) {
  Dialect dialect;
  dialect.without = kTemperature | kCacheControl | kTopP;
  Request request = request_of({{Role::kUser, "long|tail"}}, 1, 5);
  request.sampling.top_p = 0.3;
  const ChatBody body = messages_body("m", request, dialect, true);
  EXPECT_EQ(body.sent, 0U);
  for (const char* word : {"temperature", "top_p", "cache_control", "seed", "response_format"})
    EXPECT_EQ(body.json.find(word), std::string::npos) << word;
  EXPECT_EQ(body_of(request, true)["top_p"], 0.3);
  request.sampling.temperature = 1.5;
  EXPECT_EQ(body_of(request, true)["temperature"], 1) << "the API's scale ends there";
}

TEST(Messages, OnlyALongPartWithSomethingAfterItIsWorthCaching) {
  const std::string text(100, 'x');
  EXPECT_TRUE(worth_caching(request_of({{Role::kUser, text + "tail"}}, 1, 100), 100));
  EXPECT_FALSE(worth_caching(request_of({{Role::kUser, text + "tail"}}, 1, 100), 101));
  EXPECT_FALSE(worth_caching(request_of({{Role::kUser, text}}, 1, 100), 100)) << "no sibling";
  EXPECT_TRUE(worth_caching(
      request_of({{Role::kSystem, "rules"}, {Role::kUser, text + "t"}}, 2, 100), 105));
  EXPECT_FALSE(worth_caching(request_of({{Role::kUser, text}}, 0, 0), 0));
  EXPECT_FALSE(worth_caching(request_of({{Role::kUser, text}}, 9, 9), 0));
}

TEST(Messages, ReadsTextsUsageAndRefusals) {
  const ChatReply good = read_message(
      R"({"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ye"},
          {"type":"text","text":"s"}],"stop_reason":"end_turn","usage":{"input_tokens":5,
          "cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":2}})");
  ASSERT_EQ(good.choices.size(), 1U);
  EXPECT_EQ(good.choices[0].text, "yes");
  EXPECT_EQ(good.choices[0].status, Status::kOk);
  EXPECT_EQ(good.prompt_tokens, 325);
  EXPECT_EQ(good.cached_tokens, 300);
  EXPECT_EQ(good.written_tokens, 20);
  EXPECT_EQ(good.completion_tokens, 2);
  const ChatReply refused = read_message(R"({"content":[],"stop_reason":"refusal"})");
  EXPECT_EQ(refused.choices.at(0).status, Status::kRefused);
  const ChatReply cut =
      read_message(R"({"content":[{"type":"text","text":"a"}],"stop_reason":"max_tokens"})");
  EXPECT_THAT(cut.choices.at(0).problem, HasSubstr("cut off"));
  for (const char* body : {"", "[]", "{}", "null", "<html>", R"({"content":"yes"})"}) {
    EXPECT_NE(read_message(body).problem, "") << body;
  }
}

TEST(Messages, ErrorsSayWhatToDo) {
  const auto kind = [](int status, const std::string& message, unsigned sent = 0) {
    return read_messages_error(
        status, R"({"type":"error","error":{"type":"x","message":")" + message + "\"}}", sent);
  };
  EXPECT_EQ(kind(529, "Overloaded").kind, ErrorKind::kThrottled);
  EXPECT_EQ(kind(400, "Your credit balance is too low").kind, ErrorKind::kQuota);
  EXPECT_EQ(kind(413, "Request exceeds the maximum size").kind, ErrorKind::kRequest);
  EXPECT_EQ(kind(400, "cache_control: Extra inputs are not permitted", kCacheControl).parameter,
            kCacheControl);
  EXPECT_EQ(kind(400, "`temperature` is deprecated for this model.", kTemperature).parameter,
            kTemperature);
  EXPECT_EQ(kind(400, "`temperature` and `top_p` cannot both be specified", kTemperature | kTopP)
                .parameter,
            kTopP);
  EXPECT_EQ(kind(400, "cache_control: Extra inputs are not permitted").kind, ErrorKind::kRequest)
      << "it was not sent";
}

TEST(Messages, AnyBytesAreReadWithoutHarm) {
  const std::string seed =
      R"({"content":[{"type":"text","text":"yes"}],"stop_reason":"end_turn","usage":{"input_tokens":5}})";
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string body = seed;
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0 && !body.empty(); --edits) {
      const std::size_t at = random() % body.size();
      if (random() % 3 == 0)
        body[at] = static_cast<char>(random());
      else if (random() % 2 == 0)
        body.erase(at, random() % 20);
      else
        body.insert(at, R"({"content":[)");
    }
    const ChatReply reply = read_message(body);
    EXPECT_EQ(reply.problem.empty(), !reply.choices.empty());
    EXPECT_GE(reply.prompt_tokens, reply.cached_tokens);
    for (const int status : {400, 429, 529}) read_messages_error(status, body, 0xffffU);
  }
}

TEST(PrefixCache, OneFillsItAndTheOthersWait) {
  PrefixCache cache;
  EXPECT_FALSE(cache.must_wait(7));
  EXPECT_TRUE(cache.started(7, 0)) << "the first one fills it";
  EXPECT_TRUE(cache.must_wait(7));
  EXPECT_FALSE(cache.must_wait(8)) << "others do not wait";
  EXPECT_FALSE(cache.started(7, 0)) << "one that goes all the same does not fill it";
  cache.ended(7, false, 1, 0);
  EXPECT_TRUE(cache.must_wait(7)) << "the first one is still under way";
  cache.ended(7, true, 1, 0);
  EXPECT_FALSE(cache.must_wait(7)) << "it failed: the next one tries";
  EXPECT_TRUE(cache.started(7, 2));
  cache.ended(7, true, 3, 100);
  EXPECT_FALSE(cache.started(7, 50)) << "kept";
  cache.ended(7, false, 60, 100);
  EXPECT_FALSE(cache.started(7, 159)) << "each use keeps it on";
  EXPECT_TRUE(cache.started(7, 161)) << "dropped by the server";
}

TEST(PrefixCache, WhatIsOldIsForgotten) {
  PrefixCache cache;
  for (std::size_t i = 0; i < 50000; ++i) {
    cache.started(i, static_cast<double>(i));
    cache.ended(i, true, static_cast<double>(i), 100);
  }
  EXPECT_LT(cache.size(), 5000U);
}

TEST(LimitHints, TheApisOwnHeadersAreRead) {
  const double now = 1792567680;  // 2026-10-21T07:28:00Z
  const LimitHints hints =
      read_hints({{"anthropic-ratelimit-requests-remaining", "0"},
                  {"anthropic-ratelimit-requests-reset", "2026-10-21T07:28:09Z"},
                  {"anthropic-ratelimit-tokens-remaining", "1200"},
                  {"anthropic-ratelimit-tokens-reset", "2026-10-21T07:27:00Z"}},
                 now);
  EXPECT_EQ(hints.remaining_requests, 0);
  EXPECT_EQ(hints.reset_requests, 9);
  EXPECT_EQ(hints.remaining_tokens, 1200);
  EXPECT_EQ(hints.reset_tokens, 0) << "past";
  for (const char* wrong :
       {"", "soon", "2026-10-21", "2026-10-21 07:28:09Z", "20xx-10-21T07:28:09Z"}) {
    EXPECT_FALSE(read_hints({{"anthropic-ratelimit-requests-reset", wrong}}, now).reset_requests)
        << wrong;
  }
}

}  // namespace
}  // namespace assay
