#include "options_decompeval.h"

#include "checks.h"

namespace assay::cli {

void add_decompeval_options(CLI::App& app, DecompEvalOptions& options) {
  const char* group = "DecompEval";
  app.add_option("--wording", options.wording,
                 "which wording of the rubric's question is asked; the built-in rubrics have 7")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--input-limit", options.input_limit,
                 "cut the document so that a prompt has no more (estimated) tokens; 0: never")
      ->check(not_negative())
      ->capture_default_str()
      ->group(group);
  app.add_flag("!--no-instruction", options.instruction, "ablation: without the instruction")
      ->group(group);
  app.add_flag("!--no-subquestions", options.subquestions,
               "ablation: the question about the whole text only")
      ->group(group);
  app.add_flag("--question-first", options.question_first,
               "ablation: the question before the texts")
      ->group(group);
}

}  // namespace assay::cli
