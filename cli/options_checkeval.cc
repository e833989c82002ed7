#include "options_checkeval.h"

#include <algorithm>
#include <string>
#include <vector>

namespace assay::cli {
namespace {

// An option that takes one of the words, in the order of the enumeration.
template <class Enum>
void add_words(CLI::App& app, const char* name, Enum& value, const std::vector<std::string>& words,
               const char* what) {
  const auto set = [&value, words](const std::string& word) {
    value = static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
  };
  app.add_option_function<std::string>(name, set, what)
      ->check(CLI::IsMember(words))
      ->default_str(words[static_cast<std::size_t>(value)])
      ->group("CheckEval");
}

}  // namespace

void add_checkeval_options(CLI::App& app, CheckevalOptions& options) {
  app.add_option(
         "--checklist", options.checklists,
         "your own checklist, or a folder of them, instead of the built-in ones; repeatable")
      ->allow_extra_args(false)
      ->group("CheckEval");
  add_words(app, "--group", options.group, {"subdimension", "dimension", "question"},
            "which questions share a call");
  add_words(app, "--questions", options.questions, {"kept", "seeds", "unfiltered"},
            "ablations: only the seeds, or also what was filtered out");
  app.add_option("--checklist-weights", options.weights,
                 "weights fitted by `assay checklist weigh`, instead of counting every yes the "
                 "same; repeatable")
      ->allow_extra_args(false)
      ->group("CheckEval");
}

}  // namespace assay::cli
