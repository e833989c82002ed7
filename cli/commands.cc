#include "commands.h"

namespace assay::cli {

void add_commands(CLI::App& app, int& exit_code) {
  add_eval(app, exit_code);
  add_rank(app, exit_code);
  add_runs(app, exit_code);
  add_methods(app, exit_code);
  add_judges(app, exit_code);
  add_doctor(app, exit_code);
  add_rubric(app, exit_code);
  add_checklist(app, exit_code);
  add_learn(app, exit_code);
  add_metric(app, exit_code);
  add_meta(app, exit_code);
  add_agree(app, exit_code);
  add_compare(app, exit_code);
}

}  // namespace assay::cli
