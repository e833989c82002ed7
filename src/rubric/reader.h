#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rubric/yaml.h"

namespace assay {

// The known word nearest to `word`, where it is near enough to be a slip; empty otherwise.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);
std::string did_you_mean_clause(std::string_view word, std::span<const std::string> known);

// Reads a YAML map key by key, and in finish() refuses the keys nobody asked for. Every problem is
// added with its file and line, and reading goes on with a default, so that one pass finds all.
// Thread-compatible.
class MapReader {
 public:
  // `where` names the map in messages: "seal", "sub-dimension 2"; empty at the top of a file.
  MapReader(const YamlNode& map, std::string where, Problems& problems);

  // Whether it has a value (key: alone has none); marks the key as known.
  bool has(const std::string& key);
  std::string text(const std::string& key, bool required);
  std::string id(const std::string& key, bool required);  // small letters, digits, - and _
  double number(const std::string& key, double fallback);
  int integer(const std::string& key, int fallback);
  bool boolean(const std::string& key, bool fallback);
  std::vector<std::string> texts(const std::string& key);  // a list of words, or one word
  const YamlNode* map(const std::string& key, bool required = false);
  const YamlNode* list(const std::string& key, bool required = false);
  // One of the words given.
  std::string choice(const std::string& key, const std::string& fallback,
                     std::span<const std::string> words);

  void problem(const std::string& key, std::string text);  // at that key, or at the map
  void finish();

 private:
  const YamlNode* take(const std::string& key, bool required);
  std::string place(const std::string& key) const;

  const YamlNode& map_;
  std::string where_;
  Problems& problems_;
  std::vector<std::string> known_;
};

// A scalar as a finite number, or nothing.
std::optional<double> number_of(std::string_view text);

// What a node is, for messages: "a list", "text", ...
std::string kind_name(const YamlNode& node);

}  // namespace assay
