#include "assay/method.h"
#include "core/hash.h"

namespace assay {

std::string Artefact::hash() const { return Hasher().add(kind).add(body).hex(); }

}  // namespace assay
