#include "text/stem.h"

#include <libstemmer.h>

#include <new>

namespace assay {

struct Stemmer::Impl {
  struct Delete {
    void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer;
};

Stemmer::Stemmer() : impl_(std::make_unique<Impl>()) {
  impl_->stemmer.reset(sb_stemmer_new("english", nullptr));
  if (!impl_->stemmer)
    throw std::bad_alloc();  // the only way it fails: English is always compiled in
}
Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string_view Stemmer::stem(std::string_view lower_case) {
  const auto* in = reinterpret_cast<const sb_symbol*>(lower_case.data());
  const sb_symbol* out =
      sb_stemmer_stem(impl_->stemmer.get(), in, static_cast<int>(lower_case.size()));
  if (out == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(out),
          static_cast<std::size_t>(sb_stemmer_length(impl_->stemmer.get()))};
}

}  // namespace assay
