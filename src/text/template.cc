#include "text/template.h"

#include <fmt/core.h>

#include <algorithm>

#include "assay/error.h"

namespace assay {
namespace {

struct Piece {
  std::string_view before;  // text up to the placeholder
  char kind = 0;            // 0: end of block, 'v': value, '#': section, '/': end of section
  std::string_view name;
};

Piece take_piece(std::string_view& rest) {
  const std::size_t open = rest.find("{{");
  if (open == std::string_view::npos) {
    const Piece piece{rest, 0, {}};
    rest = {};
    return piece;
  }
  const std::size_t close = rest.find("}}", open);
  if (close == std::string_view::npos)
    throw ConfigError("a prompt block has \"{{\" without \"}}\"");
  std::string_view name = rest.substr(open + 2, close - open - 2);
  char kind = 'v';
  if (!name.empty() && (name[0] == '#' || name[0] == '/')) {
    kind = name[0];
    name.remove_prefix(1);
  }
  const Piece piece{rest.substr(0, open), kind, name};
  rest.remove_prefix(close + 2);
  return piece;
}

const std::string& value_of(std::string_view name, const TemplateValues& values) {
  const auto found = values.find(name);
  if (found == values.end()) {
    throw ConfigError(
        fmt::format("a prompt block uses {{{{{}}}}}, which this question does not supply", name));
  }
  return found->second;
}

// Renders up to the end of the section `section` (or of the block, where it is empty).
void render_into(std::string& out, std::string_view& rest, std::string_view section, bool shown,
                 const TemplateValues& values) {
  for (;;) {
    const Piece piece = take_piece(rest);
    if (shown) out += piece.before;
    switch (piece.kind) {
      case 0:
        if (!section.empty())
          throw ConfigError(
              fmt::format("a prompt block opens {{{{#{}}}}} and never closes it", section));
        return;
      case '/':
        if (piece.name != section)
          throw ConfigError(
              fmt::format("a prompt block closes {{{{/{}}}}} where it is not open", piece.name));
        return;
      case '#':
        render_into(out, rest, piece.name, shown && !value_of(piece.name, values).empty(), values);
        break;
      default: {
        const std::string& value = value_of(piece.name, values);
        if (shown) out += value;
      }
    }
  }
}

}  // namespace

std::string render(std::string_view block, const TemplateValues& values) {
  std::string out;
  render_into(out, block, {}, true, values);
  return out;
}

std::vector<std::string> template_names(std::string_view block) {
  std::vector<std::string> names;
  while (!block.empty()) {
    const Piece piece = take_piece(block);
    if (piece.kind == 0 || piece.kind == '/') continue;
    if (std::find(names.begin(), names.end(), piece.name) == names.end())
      names.emplace_back(piece.name);
  }
  return names;
}

}  // namespace assay
