#include "text/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace assay {
namespace {

TEST(JsonText, AnyBytesBecomeAJsonString) {
  std::mt19937 random(13);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 40); n > 0; --n) text += static_cast<char>(random());
    EXPECT_TRUE(nlohmann::json::parse(json_text(text), nullptr, false).is_string());
  }
}

TEST(JsonText, TextComesBackAsItWas) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  for (const std::string& text : {std::string(), all, std::string("„Öl“ 水 🙂 \"\\")}) {
    EXPECT_EQ(nlohmann::json::parse(json_text(text)).get<std::string>(), text);
  }
}

TEST(JsonText, AByteThatIsNoUtf8IsReplaced) {
  EXPECT_EQ(nlohmann::json::parse(json_text("a\xff"
                                            "b"))
                .get<std::string>(),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(JsonText, IsAppended) {
  std::string out = "{\"a\":";
  append_json_text(out, "b\n");
  EXPECT_EQ(out, "{\"a\":\"b\\n\"");
}

}  // namespace
}  // namespace assay
