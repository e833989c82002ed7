#include "judges/openai_reply.h"

#include <gtest/gtest.h>

#include <random>

#include "judges/redact.h"

namespace assay {
namespace {

constexpr unsigned kAll = (1U << 9U) - 1;

TEST(ReadChat, TakesTextUsageAndCachedTokens) {
  const ChatReply reply = read_chat(
      R"({"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}],
          "usage":{"prompt_tokens":100,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":64}}})",
      YesNo{}, false);
  EXPECT_EQ(reply.problem, "");
  ASSERT_EQ(reply.choices.size(), 1U);
  EXPECT_EQ(reply.choices[0].text, "yes");
  EXPECT_EQ(reply.prompt_tokens, 100);
  EXPECT_EQ(reply.cached_tokens, 64);
  EXPECT_EQ(reply.completion_tokens, 2);
}

TEST(ReadChat, TellsAnswersRefusalsAndNonsenseApart) {
  struct Case {
    const char* body;
    const char* problem;  // not empty: asked again
    Status status;
    const char* text;
  };
  const std::vector<Case> cases = {
      {R"({"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]})",
       "", Status::kOk, "ab"},
      {R"({"choices":[{"message":{"content":""}}]})", "", Status::kOk, ""},
      {R"({"choices":[{"message":{"content":null,"refusal":"No."}}]})", "", Status::kRefused,
       "No."},
      {R"({"choices":[{"message":{"content":"half"},"finish_reason":"content_filter"}]})", "",
       Status::kRefused, "half"},
      {R"({"choices":[{"message":{"content":"cut"},"finish_reason":"length"}]})", "", Status::kOk,
       "cut"},
      {R"({"choices":[{"message":{"content":"yes"},"finish_reason":7}],"usage":"none"})", "",
       Status::kOk, "yes"},
      {R"({"choices":[]})", "the list of choices is empty", Status::kOk, ""},
      {R"({"choices":[{"message":{"content":null}}]})", "no choice holds a message", Status::kOk,
       ""},
      {R"({"choices":[{"text":"yes"}]})", "no choice holds a message", Status::kOk, ""},
      {R"({"choices":{"0":1}})", "the reply holds no choices", Status::kOk, ""},
      {R"([1,2])", "the reply holds no choices", Status::kOk, ""},
      {R"({"choices":[{"mess)", "the reply is not JSON", Status::kOk, ""},
      {"", "the reply is not JSON", Status::kOk, ""},
      {"  <!DOCTYPE html>", "the reply is an HTML page, not JSON", Status::kOk, ""},
      {"{\"choices\":[{\"message\":{\"content\":\"\xff\xfe\"}}]}", "the reply is not JSON",
       Status::kOk, ""},
  };
  for (const Case& c : cases) {
    const ChatReply reply = read_chat(c.body, YesNo{}, false);
    EXPECT_EQ(reply.problem, c.problem) << c.body;
    if (*c.problem != '\0') continue;
    ASSERT_EQ(reply.choices.size(), 1U) << c.body;
    EXPECT_EQ(reply.choices[0].status, c.status) << c.body;
    EXPECT_EQ(reply.choices[0].text, c.text) << c.body;
  }
}

TEST(ReadChat, UsageThatCannotBeIsNoUsage) {
  const ChatReply reply = read_chat(
      R"({"choices":[{"message":{"content":"yes"}}],"usage":{"prompt_tokens":-5,"completion_tokens":1e300,
          "prompt_tokens_details":{"cached_tokens":99}}})",
      YesNo{}, false);
  EXPECT_EQ(reply.prompt_tokens, 0);
  EXPECT_EQ(reply.completion_tokens, 0);
  EXPECT_EQ(reply.cached_tokens, 0);
}

TEST(ReadError, KnowsWhatCanPass) {
  struct Case {
    int status;
    const char* body;
    ErrorKind kind;
  };
  const std::vector<Case> cases = {
      {429, R"({"error":{"code":"rate_limit_exceeded"}})", ErrorKind::kThrottled},
      {429, "", ErrorKind::kThrottled},
      {429, R"({"error":{"message":"Quota exceeded for requests per minute"}})",
       ErrorKind::kThrottled},
      {429, R"({"error":{"type":"insufficient_quota","code":"insufficient_quota"}})",
       ErrorKind::kQuota},
      {429, R"({"error":{"code":"billing_hard_limit_reached"}})", ErrorKind::kQuota},
      {402, "", ErrorKind::kQuota},
      {500, "oops", ErrorKind::kAgain},
      {502, "<html>", ErrorKind::kAgain},
      {503, "", ErrorKind::kThrottled},
      {529, "", ErrorKind::kThrottled},
      {408, "", ErrorKind::kAgain},
      {400, R"({"error":{"message":"bad image"}})", ErrorKind::kRequest},
      {413, "", ErrorKind::kRequest},
      {422, "", ErrorKind::kRequest},
      {401, "", ErrorKind::kSetup},
      {403, "", ErrorKind::kSetup},
      {404, "", ErrorKind::kSetup},
      {302, "", ErrorKind::kSetup},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(read_error(c.status, c.body, kAll).kind, c.kind) << c.status << " " << c.body;
  }
}

TEST(ReadError, FindsTheParameterThatIsRejected) {
  struct Case {
    int status;
    const char* body;
    std::optional<Parameter> parameter;
  };
  const std::vector<Case> cases = {
      {400,
       R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}})",
       kMaxTokens},
      {400,
       R"({"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","param":"temperature","code":"unsupported_value"}})",
       kTemperature},
      {400,
       R"({"error":{"message":"Invalid schema for response_format 'answer'","param":"response_format"}})",
       kResponseFormat},
      {400, R"({"error":{"message":"This model does not support structured outputs"}})",
       kResponseFormat},
      {422, R"({"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]})", kSeed},
      {400, R"({"message":"top_logprobs must be at most 5"})", kTopLogprobs},
      {400, R"({"error":"logprobs is not supported"})", kLogprobs},
      {500, R"({"error":{"message":"Failed to parse grammar"}})", kResponseFormat},
      {400, R"({"error":{"message":"Unknown parameter: 'n'","param":"n"}})", kN},
      {400, "unknown field \"top_p\"", kTopP},
      {400,
       R"({"error":{"message":"max_tokens is too large: 100000. It must be at most 4096","param":"max_tokens"}})",
       std::nullopt},
      {400,
       R"({"error":{"message":"maximum context length is 10 tokens, reduce max_tokens; unsupported","code":"context_length_exceeded"}})",
       std::nullopt},
      {400, R"({"error":{"message":"messages: unexpected end"}})", std::nullopt},
      {429, R"({"error":{"message":"unsupported seed"}})", std::nullopt},
  };
  for (const Case& c : cases) {
    const ServerError error = read_error(c.status, c.body, kAll);
    EXPECT_EQ(error.parameter, c.parameter) << c.body;
    EXPECT_EQ(read_error(c.status, c.body, 0).parameter, std::nullopt) << "not sent";
  }
}

TEST(ReadChat, BytesOfEveryKindAreSurvived) {
  const std::string seed =
      R"({"choices":[{"index":0,"message":{"role":"assistant","content":"yes","refusal":null},"logprobs":{"content":[{"token":"yes","top_logprobs":[{"token":"yes","logprob":-0.1}]}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":0}},"error":{"message":"m","type":"t","code":"c","param":"p"}})";
  const std::vector<std::string> pieces = {"null", "[]", "{}",   "-1e999", "\"",
                                           "[[[[", "1",  "true", "\\u0000"};
  std::mt19937 random(5);
  for (int i = 0; i < 8000; ++i) {
    std::string body = seed;
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0 && !body.empty(); --edits) {
      const std::size_t at = random() % body.size();
      switch (random() % 4) {
        case 0:
          body[at] = static_cast<char>(random());
          break;
        case 1:
          body.erase(at, random() % 20);
          break;
        case 2:
          body.insert(at, pieces[random() % pieces.size()]);
          break;
        default:
          body.resize(at);
      }
    }
    const ChatReply reply = read_chat(body, YesNo{}, true);
    EXPECT_EQ(reply.problem.empty(), !reply.choices.empty());
    EXPECT_GE(reply.prompt_tokens, reply.cached_tokens);
    for (const int status : {400, 429, 500}) read_error(status, body, kAll);
  }
  read_chat(std::string(100000, '['), YesNo{}, true);
}

TEST(Redact, NoPieceOfTheKeyIsLeft) {
  const std::string key = "sk-proj-AbCdEf0123456789";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"Bearer " + key + " is wrong", "Bearer [key] is wrong"},
      {"sk-proj-AbCdE***456789", "[key]***[key]"},
      {"nothing here", "nothing here"},
      {key + key, "[key][key]"},
      {"", ""},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(redact(text, key), expected);
  EXPECT_EQ(redact("the key is abc", "abc"), "the key is [key]");
  EXPECT_EQ(redact("no key set", ""), "no key set");
}

TEST(Redact, AProblemIsOneLine) {
  EXPECT_EQ(one_line("a\r\n\tb\x01  c\n", ""), "a b c");
  EXPECT_EQ(one_line(std::string("x\xff") + "y", ""), "x?y");
  const std::string key = "sk-0123456789";
  const std::string line = one_line(std::string(295, 'x') + key + std::string(9000, 'y'), key);
  EXPECT_EQ(line.find("0123"), std::string::npos) << "a key at the cut";
  EXPECT_LT(line.size(), 320U);
}

}  // namespace
}  // namespace assay
