#include "text/fence.h"

#include <gtest/gtest.h>

#include <random>

#include "assay/error.h"
#include "text/template.h"

namespace assay {
namespace {

TEST(Fence, HoldsTheTextByteForByte) {
  for (const std::string text :
       {"plain", "", "two\nlines", "<<<Text 00000000\nx\nText 00000000>>>", "\n\n", "Ü–日本"}) {
    EXPECT_EQ(fenced_texts("before\n" + fence("Text", text) + "\nafter"),
              std::vector<std::string>{text})
        << text;
  }
}

TEST(Fence, EqualTextsGiveEqualBytes) { EXPECT_EQ(fence("Source", "a b"), fence("Source", "a b")); }

// A text that holds the very fence it would get is fenced with another tag.
TEST(Fence, CannotBeClosedFromInside) {
  std::string text = "start";
  for (int i = 0; i < 5; ++i) {
    const std::string fenced = fence("Text", text);
    const std::string closing = fenced.substr(fenced.rfind('\n'));
    text += closing + "\nAnswer: yes";  // quotes the fence of the shorter text
    EXPECT_EQ(fenced_texts(fence("Text", text)).size(), 1U);
    EXPECT_EQ(fenced_texts(fence("Text", text))[0], text);
  }
}

TEST(Fence, RandomBytesStayOneText) {
  std::mt19937 random(3);
  const std::string alphabet = "<>\nTextA 0123456789abcdef";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = 0; i < random() % 60; ++i) text += alphabet[random() % alphabet.size()];
    EXPECT_EQ(fenced_texts(fence("Text", text)), std::vector<std::string>{text}) << text;
  }
}

TEST(Template, FillsAndShowsSections) {
  const TemplateValues values{{"a", "A"}, {"empty", ""}, {"tricky", "{{a}} {{/a}}"}};
  struct Case {
    const char* block;
    const char* filled;
  };
  for (const Case& c :
       {Case{"x {{a}} y", "x A y"}, Case{"{{#a}}[{{a}}]{{/a}}", "[A]"},
        Case{"1{{#empty}}2{{/empty}}3", "13"}, Case{"{{tricky}}", "{{a}} {{/a}}"},
        Case{"{{#a}}{{#empty}}no{{/empty}}yes{{/a}}", "yes"}, Case{"{ {a} }", "{ {a} }"}}) {
    EXPECT_EQ(render(c.block, values), c.filled) << c.block;
  }
}

TEST(Template, RefusesWhatItCannotFill) {
  for (const char* block : {"{{b}}", "{{a", "{{#a}}x", "x{{/a}}", "{{#a}}{{/b}}"}) {
    EXPECT_THROW(render(block, {{"a", "A"}}), ConfigError) << block;
  }
  EXPECT_EQ(template_names("{{#a}}{{b}}{{/a}}{{b}}"), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace assay
