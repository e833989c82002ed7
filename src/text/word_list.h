#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

// The plain English words compiled into the binary (cmake/wordlist.cmake), sorted, each followed by
// "\n".
std::string_view embedded_words();

// Tells words from names: "table" is in it, "berlin" is not. Built once and then only
// read, so it may be shared by threads.
class WordList {
 public:
  WordList() : WordList(embedded_words()) {}
  explicit WordList(std::string_view lines);  // must outlive the object
  bool contains(std::string_view lower_case) const;

 private:
  std::string_view lines_;
  std::vector<std::uint32_t> slots_;  // offset in lines_ + 1; 0 is free
};

}  // namespace assay
