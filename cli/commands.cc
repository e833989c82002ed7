#include "commands.h"

namespace assay::cli {

void add_commands(CLI::App& app, int& exit_code) {
  add_rubric(app, exit_code);
  add_meta(app, exit_code);
}

}  // namespace assay::cli
