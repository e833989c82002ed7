// YAML to YamlNode by yaml-cpp's events. Its own node type is not used because it resolves repeated
// keys and aliases silently, and knows no file. Tested in tests/rubric/yaml_test.cc, with mutated
// files too.
#include "rubric/yaml.h"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <sstream>

#include "text/utf8.h"

namespace assay {
namespace {

constexpr std::size_t kMaxBytes = 1
                                  << 20;  // a rubric is a few kilobytes; a megabyte is another file
constexpr std::size_t kMaxDepth = 32;

// Thrown out of yaml-cpp's callbacks, which know no other way to stop.
struct Refused {
  int line;
  std::string text;
};

class Builder : public YAML::EventHandler {
 public:
  explicit Builder(std::string file) : file_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    put(make(mark, anchor, YamlNode::Kind::kNull));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{mark.line + 1,
                  "aliases (*name) are not used in rubrics; write it out or use extends"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(mark, anchor, YamlNode::Kind::kScalar);
    const bool plain = tag == "?";
    if (plain && (value.empty() || value == "~" || value == "null")) {
      node.kind = YamlNode::Kind::kNull;
    }
    node.text = value;
    put(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    push(make(mark, anchor, YamlNode::Kind::kList));
  }
  void OnSequenceEnd() override { pop(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    push(make(mark, anchor, YamlNode::Kind::kMap));
  }
  void OnMapEnd() override { pop(); }

  YamlNode take() { return std::move(root_); }

 private:
  struct Open {
    YamlNode node;
    std::optional<YamlNode> key;
  };

  YamlNode make(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind) const {
    if (anchor != 0) {
      throw Refused{mark.line + 1,
                    "anchors (&name) are not used in rubrics; write it out or use extends"};
    }
    YamlNode node;
    node.kind = kind;
    node.file = file_;
    node.line = mark.line + 1;
    return node;
  }
  void push(YamlNode node) {
    if (open_.size() >= kMaxDepth) throw Refused{node.line, "nested too deeply"};
    open_.push_back({std::move(node), std::nullopt});
  }
  void pop() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    put(std::move(node));
  }
  void put(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& top = open_.back();
    if (top.node.kind == YamlNode::Kind::kList) {
      top.node.items.push_back(std::move(node));
    } else if (!top.key) {
      if (node.kind == YamlNode::Kind::kList || node.kind == YamlNode::Kind::kMap) {
        throw Refused{node.line, "a key must be a plain word"};
      }
      top.key = std::move(node);
    } else {
      top.node.entries.emplace_back(std::move(*top.key), std::move(node));
      top.key.reset();
    }
  }

  std::string file_;
  std::vector<Open> open_;
  YamlNode root_;
};

int line_of(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + offset, '\n'));
}

bool readable(std::string_view text, const std::string& file, Problems& problems) {
  if (text.size() > kMaxBytes) {
    problems.add(
        file, 0,
        fmt::format("{} bytes; a rubric or prompt has at most {}", text.size(), kMaxBytes));
    return false;
  }
  if (const auto bad = find_bad_utf8(text)) {
    problems.add(file, line_of(text, *bad), "not UTF-8; save the file as UTF-8");
    return false;
  }
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    problems.add(file, line_of(text, nul), "holds a NUL byte; this is not a text file");
    return false;
  }
  if (text.find_first_not_of(" \t\r\n\xEF\xBB\xBF") == std::string_view::npos) {
    problems.add(file, 0, "the file is empty");
    return false;
  }
  return true;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name.text == key) return &value;
  }
  return nullptr;
}

std::optional<YamlNode> parse_yaml(std::string_view text, const std::string& file,
                                   Problems& problems) {
  if (!readable(text, file, problems)) return std::nullopt;
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    Builder builder(file);
    if (!parser.HandleNextDocument(builder)) {
      problems.add(file, 0, "the file is empty");
      return std::nullopt;
    }
    YamlNode root = builder.take();
    Builder rest(file);
    if (parser.HandleNextDocument(rest)) {
      problems.add(file, rest.take().line,
                   "a second document (---); one file holds one rubric or prompt");
      return std::nullopt;
    }
    return root;
  } catch (const Refused& refused) {
    problems.add(file, refused.line, refused.text);
  } catch (const YAML::Exception& error) {
    problems.add(file, std::max(error.mark.line, 0) + 1, fmt::format("not YAML: {}", error.msg));
  }
  return std::nullopt;
}

}  // namespace assay
