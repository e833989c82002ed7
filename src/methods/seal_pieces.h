#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

namespace assay {

// "s1: ...\ns2: ..." of anything with an id and a text.
template <class Piece>
std::string numbered(const std::vector<Piece>& pieces) {
  std::string list;
  for (const Piece& piece : pieces)
    list += fmt::format("{}{}: {}", list.empty() ? "" : "\n", piece.id, piece.text);
  return list;
}

template <class Piece>
std::vector<std::string> ids_of(const std::vector<Piece>& pieces) {
  std::vector<std::string> ids;
  for (const Piece& piece : pieces) ids.push_back(piece.id);
  return ids;
}

}  // namespace assay
