#pragma once

#include <memory>
#include <string_view>

namespace assay {

// The Snowball English stemmer (Porter's second). Not thread-safe: one per thread.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;
  // The stem of a lower-case word; valid until the next call.
  std::string_view stem(std::string_view lower_case);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
