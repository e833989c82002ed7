// An open-addressing table of offsets into the embedded list: half a megabyte, one cache line a
// look-up, where binary search over the text would touch sixteen.
#include "text/word_list.h"

#include <algorithm>

#include "text/words.h"

namespace assay {

WordList::WordList(std::string_view lines) : lines_(lines) {
  const auto words = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  std::size_t size = 16;
  while (size < 2 * words) size *= 2;
  slots_.assign(size, 0);
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    std::size_t slot = word_hash(lines.substr(begin, end - begin)) & (size - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (size - 1);
    slots_[slot] = static_cast<std::uint32_t>(begin + 1);
    begin = end + 1;
  }
}

bool WordList::contains(std::string_view lower_case) const {
  std::size_t slot = word_hash(lower_case) & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::string_view entry = lines_.substr(slots_[slot] - 1);
    if (entry.size() > lower_case.size() && entry[lower_case.size()] == '\n' &&
        entry.starts_with(lower_case)) {
      return true;
    }
  }
  return false;
}

}  // namespace assay
