// assay rubric list|show|check (draft: rubric_draft.cc): what is judged by which questions, and
// whether a user's own file is right.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/error.h"
#include "commands.h"
#include "evidence/evidence.h"
#include "rubric/library.h"
#include "rubric_draft.h"
#include "table.h"

namespace assay::cli {
namespace {

struct Options {
  std::string format = "table";
  std::string rubrics;
  std::string name;
  std::vector<std::string> paths;
};

// How many sub-dimensions the built-in judge has evidence for.
std::size_t answered_by_builtin(const Rubric& rubric) {
  if (!rubric.seal) return 0;
  const auto& subs = rubric.seal->subs;
  return static_cast<std::size_t>(std::count_if(
      subs.begin(), subs.end(), [](const SubDimension& sub) { return !sub.evidence.empty(); }));
}

std::vector<const Rubric*> all_rubrics(const RubricLibrary& library) {
  std::vector<const Rubric*> rubrics;
  for (const std::string& task : library.tasks()) {
    for (const std::string& dimension : library.dimensions(task))
      rubrics.push_back(&library.get(task, dimension));
  }
  return rubrics;
}

void print_table(const std::vector<const Rubric*>& rubrics) {
  Table table;
  for (const char* name : {"task", "dimension", "scale", "units"}) table.column(name, false);
  for (const char* name : {"questions", "builtin"}) table.column(name, true);
  table.column("from", false);
  for (const Rubric* rubric : rubrics) {
    const bool seal = rubric->seal.has_value();
    table.rows.push_back(
        {rubric->task, rubric->id, fmt::format("{}-{}", rubric->scale.lo, rubric->scale.hi),
         seal ? unit_kind_name(rubric->seal->units) : "-",
         seal ? std::to_string(rubric->seal->subs.size()) : "-",
         seal ? std::to_string(answered_by_builtin(*rubric)) : "-", rubric->origin});
  }
  fmt::print("{}", render(table, Format::kTable, false));
  fmt::print("\nquestions: SEAL's sub-dimensions; builtin: those the built-in judge can answer\n");
}

void print_json(const std::vector<const Rubric*>& rubrics) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Rubric* rubric : rubrics) {
    Json one{{"task", rubric->task},       {"dimension", rubric->id},
             {"version", rubric->version}, {"scale", {rubric->scale.lo, rubric->scale.hi}},
             {"origin", rubric->origin},   {"hash", rubric_hash(*rubric)}};
    if (rubric->seal) {
      Json subs = Json::array();
      for (const SubDimension& sub : rubric->seal->subs) {
        subs.push_back({{"id", sub.id},
                        {"question", sub.question},
                        {"weight", sub.weight},
                        {"evidence", sub.evidence}});
      }
      one["seal"] = {{"units", unit_kind_name(rubric->seal->units)},
                     {"threshold", rubric->seal->threshold},
                     {"sub_dimensions", std::move(subs)}};
    } else {
      one["seal"] = nullptr;
    }
    list.push_back(std::move(one));
  }
  fmt::print("{}\n", Json{{"rubrics", std::move(list)}}.dump(2));
}

void list(const Options& options) {
  const RubricLibrary library = RubricLibrary::load(options.rubrics, evidence_names());
  const auto rubrics = all_rubrics(library);
  options.format == "json" ? print_json(rubrics) : print_table(rubrics);
}

void show(const Options& options) {
  const std::size_t slash = options.name.find('/');
  if (slash == std::string::npos) {
    throw ConfigError(fmt::format(
        "rubric show needs TASK/DIMENSION (see: assay rubric list), not \"{}\"", options.name));
  }
  const RubricLibrary library = RubricLibrary::load(options.rubrics, evidence_names());
  fmt::print("{}", library.yaml(options.name.substr(0, slash), options.name.substr(slash + 1)));
}

int check(const Options& options) {
  const RubricCheck result = check_rubrics(options.paths, evidence_names());
  for (const Problem& problem : result.problems) fmt::print("{}\n", problem.str());
  for (const std::string& well : result.well) fmt::print("{} is well\n", well);
  return result.problems.empty() ? kWell : kUsage;
}

}  // namespace

void add_rubric(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();  // shared: three callbacks outlive this function
  CLI::App* rubric = app.add_subcommand("rubric", "list, show, check and draft rubrics");
  rubric->require_subcommand(1);

  CLI::App* list_command =
      rubric->add_subcommand("list", "every task and dimension that can be judged");
  list_command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  list_command->callback([options] { list(*options); });

  CLI::App* show_command =
      rubric->add_subcommand("show", "one rubric as YAML, to read or to copy and change");
  show_command->add_option("rubric", options->name, "TASK/DIMENSION")->required();
  show_command->callback([options] { show(*options); });

  for (CLI::App* command : {list_command, show_command}) {
    command->add_option("--rubrics", options->rubrics,
                        "your own rubric file or folder, laid over the built-in ones");
  }

  CLI::App* check_command =
      rubric->add_subcommand("check", "tell every problem of rubric and prompt files");
  check_command->add_option("path", options->paths, "files or folders")->required();
  check_command->callback([options, &exit_code] { exit_code = check(*options); });

  add_rubric_draft(*rubric, exit_code);
}

}  // namespace assay::cli
