#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/price.h"

namespace assay {

// What tokens cost, by judge name ("openai:gpt-4o"). Thread-safe once loaded, because const.
class PriceTable {
 public:
  // The built-in table with the user's file laid over it; `path` may be empty. Throws ConfigError
  // with file and line.
  static PriceTable load(const std::string& path);

  // By the exact name, or up to a dash and a digit: "openai:gpt-4o" prices
  // "openai:gpt-4o-2024-08-06" and not "openai:gpt-4o-mini".
  std::optional<TokenPrice> find(std::string_view judge) const;

 private:
  struct Entry {
    std::string model;
    TokenPrice price;
  };
  void add(const std::string& file, std::string_view text);

  std::vector<Entry> entries_;  // later ones win
};

}  // namespace assay
