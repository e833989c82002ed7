#include "text/fence.h"

#include <fmt/core.h>

#include "core/hash.h"

namespace assay {
namespace {

constexpr std::size_t kTagSize = 8;

std::string tag_for(std::string_view text) {
  for (int salt = 0;; ++salt) {
    std::string tag = Hasher().add(text).add(std::int64_t{salt}).hex().substr(0, kTagSize);
    if (text.find(tag) == std::string_view::npos) return tag;
  }
}

}  // namespace

std::string fence(std::string_view name, std::string_view text) {
  const std::string tag = tag_for(text);
  return fmt::format("<<<{} {}\n{}\n{} {}>>>", name, tag, text, name, tag);
}

std::vector<std::string> fenced_texts(std::string_view prompt) {
  std::vector<std::string> texts;
  std::size_t at = 0;
  while ((at = prompt.find("<<<", at)) != std::string_view::npos) {
    const std::size_t head_end = prompt.find('\n', at);
    if (head_end == std::string_view::npos) break;
    const std::string_view mark = prompt.substr(at + 3, head_end - at - 3);  // "Article 7c21f0e9"
    const std::string closing = fmt::format("\n{}>>>", mark);
    const std::size_t close = prompt.find(closing, head_end);
    if (close == std::string_view::npos || mark.size() <= kTagSize) {
      at += 3;
      continue;
    }
    texts.emplace_back(prompt.substr(head_end + 1, close > head_end ? close - head_end - 1 : 0));
    at = close + closing.size();
  }
  return texts;
}

}  // namespace assay
