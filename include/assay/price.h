#pragma once

namespace assay {

// US dollars per million tokens; all zero: not known.
struct TokenPrice {
  double input = 0;
  double cached = 0;  // prompt tokens the server had in its cache
  double output = 0;
  double written = 0;  // prompt tokens it put into its cache; 0: as input

  bool known() const { return input > 0 || output > 0; }
};

}  // namespace assay
