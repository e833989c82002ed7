#include "core/content_key.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "core/hash.h"

namespace assay {
namespace {

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hasher, FieldsCannotRunTogether) {
  EXPECT_NE(Hasher().add("ab").add("c").hex(), Hasher().add("a").add("bc").hex());
  EXPECT_NE(Hasher().add("1:a").hex(), Hasher().add("").add("a").hex());
}

Request sample_request() {
  Request request;
  request.messages = {{Role::kSystem, "be brief"}, {Role::kUser, "is it?"}};
  request.answer = Keyed{{"s1", "s2"}};
  return request;
}

// Everything that may change an answer changes the key; what may not, does not.
TEST(ContentKey, ChangesWithEverythingThatChangesAnAnswer) {
  const std::vector<std::function<void(Request&)>> changes = {
      [](Request&) {},
      [](Request& r) { r.messages[0].text = "be long"; },
      [](Request& r) { r.messages[0].role = Role::kUser; },
      [](Request& r) {
        r.messages.push_back({Role::kAssistant, ""});
      },
      [](Request& r) { r.answer = Keyed{{"s1"}}; },
      [](Request& r) { r.answer = Keyed{{"s1,s2"}}; },
      [](Request& r) {
        r.answer = Weights{{"s1", "s2"}};
      },
      [](Request& r) {
        r.answer = Record{{{"verdicts", Keyed{{"s1", "s2"}}}}};
      },
      [](Request& r) { r.sampling.temperature = 1; },
      [](Request& r) { r.sampling.top_p = 0.5; },
      [](Request& r) { r.sampling.max_tokens = 5; },
      [](Request& r) { r.sampling.seed = 8; },
      [](Request& r) { r.sampling.probabilities = true; },
      [](Request& r) { r.draw = 1; },
      [](Request& r) { r.attempt = 1; },
  };
  std::set<std::string> keys;
  for (const auto& change : changes) {
    Request request = sample_request();
    change(request);
    keys.insert(content_key("openai/m", request));
  }
  keys.insert(content_key("openai/other", sample_request()));
  EXPECT_EQ(keys.size(), changes.size() + 1);

  Request same = sample_request();
  same.stage = "verdicts";
  same.prefix = 12;
  EXPECT_EQ(content_key("openai/m", same), content_key("openai/m", sample_request()));
}

TEST(Messages, TailContinuesTheLastUserMessage) {
  Question question;
  question.shared = {{Role::kSystem, "s"}, {Role::kUser, "long"}};
  question.tail = "\n\nshort";
  EXPECT_EQ(messages_of(question).back().text, "long\n\nshort");
  question.shared.pop_back();
  EXPECT_EQ(messages_of(question).size(), 2U);
  EXPECT_EQ(messages_of(question).back().role, Role::kUser);
}

}  // namespace
}  // namespace assay
