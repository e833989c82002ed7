#include "judges/redact.h"

#include <algorithm>

#include "text/utf8.h"

namespace assay {
namespace {

constexpr std::size_t kPiece = 6;      // shorter pieces of a key are found in any text
constexpr std::size_t kLine = 300;     // code points of a problem line
constexpr std::size_t kLooked = 4096;  // bytes of a server's message that are looked at

// How many bytes at `text` are found somewhere in the key.
std::size_t shared_run(std::string_view text, std::string_view key) {
  std::size_t best = 0;
  for (std::size_t start = 0; start < key.size(); ++start) {
    std::size_t run = 0;
    while (run < text.size() && start + run < key.size() && text[run] == key[start + run]) ++run;
    best = std::max(best, run);
  }
  return best;
}

}  // namespace

std::string redact(std::string_view text, std::string_view key) {
  if (key.empty()) return std::string(text);
  const std::size_t least = std::min(kPiece, key.size());
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t run = shared_run(text.substr(i), key);
    if (run >= least) {
      out += "[key]";
      i += run;
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::string one_line(std::string_view text, std::string_view key) {
  const std::string clean = redact(text.substr(0, kLooked), key);
  std::string line;
  for (const char c : clean) {
    const bool space = static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
    if (!space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  for (auto bad = find_bad_utf8(line); bad; bad = find_bad_utf8(line)) line[*bad] = '?';
  return ellipsize(line, kLine);
}

}  // namespace assay
