#include "commands.h"

namespace assay::cli {

void add_commands(CLI::App& app, int& exit_code) {
  (void)app;
  (void)exit_code;
}

}  // namespace assay::cli
