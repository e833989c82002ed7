#include "script.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>

namespace fake {
namespace {

using Kind = Shape::Kind;

bool is_token_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

bool has_token(std::string_view text, std::string_view token) {
  for (std::size_t at = text.find(token); at != std::string_view::npos;
       at = text.find(token, at + 1)) {
    const std::size_t end = at + token.size();
    if ((at == 0 || !is_token_byte(text[at - 1])) &&
        (end == text.size() || !is_token_byte(text[end]))) {
      return true;
    }
  }
  return false;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() <= ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() <= ' ') text.remove_suffix(1);
  return text;
}

// --- the texts of a prompt ---

// "ID: text", "[ID] text" or "ID] text" at the start of a line.
bool line_text(std::string_view line, std::string_view id, std::string_view& text) {
  std::string_view rest = line;
  if (rest.starts_with('[')) rest.remove_prefix(1);
  if (!rest.starts_with(id)) return false;
  rest.remove_prefix(id.size());
  if (!rest.starts_with(": ") && !rest.starts_with("] ")) return false;
  text = rest.substr(2);
  return true;
}

template <class Use>
void each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

class Texts {
 public:
  explicit Texts(std::string_view prompt) : fences_(fences_of(prompt)) {}

  // The text of a listed unit; false where no fence lists it.
  bool find(std::string_view id, std::string& out) const {
    bool found = false;
    for (auto fence = fences_.rbegin(); fence != fences_.rend() && !found; ++fence) {
      each_line(fence->text, [&](std::string_view line) {
        std::string_view text;
        if (!found && line_text(line, id, text)) {
          out = text;
          found = true;
        }
      });
    }
    return found;
  }
  const Fence* named(std::string_view name) const {
    for (const Fence& fence : fences_) {
      if (fence.name.size() == name.size() &&
          std::equal(name.begin(), name.end(), fence.name.begin(), [](char a, char b) {
            return std::tolower(static_cast<unsigned char>(a)) ==
                   std::tolower(static_cast<unsigned char>(b));
          })) {
        return &fence;
      }
    }
    return nullptr;
  }
  // What a question without unit ids is about: the text fenced last.
  std::string last() const { return fences_.empty() ? "" : fences_.back().text; }
  const std::vector<Fence>& all() const { return fences_; }

 private:
  std::vector<Fence> fences_;
};

std::string last_word(std::string_view text) {
  while (!text.empty() && !is_token_byte(text.back())) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && is_token_byte(text[begin - 1])) --begin;
  return std::string(text.substr(begin));
}

std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> out;
  while (!trim(text).empty()) {
    const std::size_t stop = text.find(". ");
    const std::size_t end = stop == std::string_view::npos ? text.size() : stop + 1;
    const std::string_view piece = trim(text.substr(0, end));
    if (!piece.empty()) out.emplace_back(piece);
    text.remove_prefix(end);
  }
  return out;
}

// --- one rule per shape ---

// The text of a unit: a listed one, or for a pair "s1-s2" the second sentence, which does or does
// not follow.
bool find_unit(const Texts& texts, const std::string& id, std::string& unit) {
  if (texts.find(id, unit)) return true;
  const std::size_t dash = id.find('-');
  std::string first;
  return dash != std::string::npos && texts.find(id.substr(0, dash), first) &&
         texts.find(id.substr(dash + 1), unit);
}

bool is_good(const Texts& texts, const std::string& id) {
  std::string unit;
  if (find_unit(texts, id, unit)) return !has_token(unit, "BAD");
  const std::string whole = texts.last();  // the id is a sub-dimension's
  return !has_token(whole, "BAD") && !has_token(whole, "BAD-" + id);
}

std::string yes_no(const Shape& shape, const Texts& texts) {
  const std::string unit = texts.last();
  bool good = !has_token(unit, "BAD");
  if (const Fence* source = texts.named("Source-facts"); source != nullptr && good) {
    const std::string word = last_word(unit);
    good = false;
    each_line(source->text, [&](std::string_view line) { good = good || last_word(line) == word; });
  }
  return good ? shape.yes : shape.no;
}

std::string keyed(const Shape& shape, const Texts& texts) {
  std::string out = "{";
  for (const std::string& id : shape.ids) {
    out += fmt::format("{}{}:\"{}\"", out.size() > 1 ? "," : "", json_string(id),
                       is_good(texts, id) ? "yes" : "no");
  }
  return out + "}";
}

std::string weights(const Shape& shape, const Texts& texts) {
  std::vector<double> values(shape.ids.size(), 1);
  for (std::size_t i = 0; i < shape.ids.size(); ++i) {
    const std::string mark = "W:" + shape.ids[i] + "=";
    for (const Fence& fence : texts.all()) {
      const std::size_t at = fence.text.find(mark);
      if (at != std::string::npos)
        values[i] = std::strtod(fence.text.c_str() + at + mark.size(), nullptr);
    }
  }
  double sum = 0;
  for (const double value : values) sum += value;
  std::string out = "{";
  for (std::size_t i = 0; i < values.size(); ++i) {
    out += fmt::format("{}{}:{}", i > 0 ? "," : "", json_string(shape.ids[i]), values[i] / sum);
  }
  return out + "}";
}

std::string number(const Shape& shape, const Texts& texts, const std::string& id) {
  std::string text = texts.last();
  if (!id.empty()) find_unit(texts, id, text);
  const double value = has_token(text, "BAD") ? shape.lo : shape.hi;
  return shape.wrapped ? fmt::format("{{\"score\":{}}}", value) : fmt::format("{}", value);
}

std::string choice(const Shape& shape, const Texts& texts) {
  const bool bad = has_token(texts.last(), "BAD");
  const std::string picked = json_string(bad ? shape.ids.back() : shape.ids.front());
  return shape.wrapped ? "{\"choice\":" + picked + "}" : picked;
}

std::string lists(const Shape& shape, const Texts& texts) {
  std::string out = "{";
  for (const std::string& id : shape.ids) {
    std::string text;
    const Fence* fence = texts.named(id);
    if (fence != nullptr) {
      text = fence->text;
    } else if (!texts.find(id, text)) {
      text = texts.last();
    }
    out += fmt::format("{}{}:[", out.size() > 1 ? "," : "", json_string(id));
    for (const std::string& item : sentences_of(text)) {
      if (out.back() != '[') out += ",";
      out += json_string(item);
    }
    out += "]";
  }
  return out + "}";
}

std::string links(const Shape& shape, const Texts& texts) {
  std::multimap<std::string, std::string> by_word;
  for (const std::string& id : shape.to) {
    std::string text;
    if (texts.find(id, text)) by_word.emplace(last_word(text), id);
  }
  std::string out = "{";
  for (const std::string& id : shape.ids) {
    out += fmt::format("{}{}:[", out.size() > 1 ? "," : "", json_string(id));
    std::string text;
    if (texts.find(id, text) && !has_token(text, "BAD")) {
      const auto [first, last] = by_word.equal_range(last_word(text));
      for (auto it = first; it != last; ++it) {
        if (out.back() != '[') out += ",";
        out += json_string(it->second);
      }
    }
    out += "]";
  }
  return out + "}";
}

// "no" where a text holds BAD-Qn; no line at all where one holds SKIP-Qn.
std::string lines(const Shape& shape, const Texts& texts) {
  const auto marked = [&](const std::string& mark) {
    return std::any_of(texts.all().begin(), texts.all().end(),
                       [&](const Fence& fence) { return has_token(fence.text, mark); });
  };
  std::string out = "As asked:\n";
  for (const std::string& id : shape.ids) {
    if (!marked("SKIP-" + id))
      out += fmt::format("{}: {}\n", id, marked("BAD-" + id) ? "no" : "yes");
  }
  return out;
}

std::string answer(const Shape& shape, const Texts& texts, const std::string& id);

std::string record(const Shape& shape, const Texts& texts) {
  std::string out = "{";
  for (const auto& [name, part] : shape.parts) {
    out += fmt::format("{}{}:{}", out.size() > 1 ? "," : "", json_string(name),
                       answer(part, texts, name));
  }
  return out + "}";
}

std::string answer(const Shape& shape, const Texts& texts, const std::string& id) {
  switch (shape.kind) {
    case Kind::kText:
      return id.empty() ? "A scripted text." : json_string("A scripted text.");
    case Kind::kYesNo:
      return id.empty() ? yes_no(shape, texts)
                        : json_string(is_good(texts, id) ? shape.yes : shape.no);
    case Kind::kKeyed:
      return keyed(shape, texts);
    case Kind::kWeights:
      return weights(shape, texts);
    case Kind::kNumber:
      return number(shape, texts, id);
    case Kind::kChoice:
      return choice(shape, texts);
    case Kind::kLists:
      return lists(shape, texts);
    case Kind::kLinks:
      return links(shape, texts);
    case Kind::kRecord:
      return record(shape, texts);
    case Kind::kLines:
      return lines(shape, texts);
    case Kind::kRated:
      return fmt::format("As asked.\n{}: {}", shape.ids[0],
                         has_token(texts.last(), "BAD") ? shape.lo : shape.hi);
  }
  return {};
}

}  // namespace

std::vector<Fence> fences_of(std::string_view prompt) {
  std::vector<Fence> out;
  for (std::size_t at = prompt.find("<<<"); at != std::string_view::npos;
       at = prompt.find("<<<", at)) {
    const std::size_t line = prompt.find('\n', at);
    if (line == std::string_view::npos) break;
    const std::string_view mark = prompt.substr(at + 3, line - at - 3);
    const std::size_t close = prompt.find(fmt::format("\n{}>>>", mark), line);
    const std::size_t tag = mark.rfind(' ');
    if (close == std::string_view::npos || tag == std::string_view::npos) {
      at += 3;
      continue;
    }
    const std::size_t begin = std::min(line + 1, close);
    out.push_back(
        {std::string(mark.substr(0, tag)), std::string(prompt.substr(begin, close - begin))});
    at = close + mark.size() + 4;
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string scripted_answer(const Shape& shape, std::string_view prompt) {
  return answer(shape, Texts(prompt), {});
}

}  // namespace fake
