// assay checklist build|show|check|merge|weigh: the lists CheckEval asks by.

#include "checklist.h"

#include <fmt/core.h>

#include <memory>
#include <vector>

#include "assay/error.h"
#include "commands.h"
#include "rubric/checklist.h"
#include "rubric/files.h"
#include "table.h"

namespace assay::cli {
namespace {

struct Options {
  std::string name;
  std::string output;
  std::vector<std::string> paths;
};

std::string told(const CheckCounts& counts) {
  std::string text = fmt::format("{} questions ({} seeds, {} diversified, {} elaborated)",
                                 counts.asked, counts.seeds, counts.diversified, counts.elaborated);
  if (counts.dropped > 0) text += fmt::format(", {} dropped", counts.dropped);
  return text;
}

void show_all() {
  Table table;
  for (const char* name : {"task", "dimension"}) table.column(name, false);
  for (const char* name : {"sub-dimensions", "questions", "seeds", "diversified", "elaborated"})
    table.column(name, true);
  for (const Checklist& list : shipped_checklists()) {
    const CheckCounts counts = count_questions(list);
    table.rows.push_back({list.task, list.dimension, std::to_string(list.subs.size()),
                          std::to_string(counts.asked), std::to_string(counts.seeds),
                          std::to_string(counts.diversified), std::to_string(counts.elaborated)});
  }
  fmt::print(
      "{}\n`assay checklist show TASK/DIMENSION` prints one, to read or to copy and change\n",
      render(table, Format::kTable, wants_colour(false)));
}

void show(const Options& options) {
  if (options.name.empty()) return show_all();
  const std::size_t slash = options.name.find('/');
  if (slash == std::string::npos) {
    throw ConfigError(
        fmt::format("checklist show needs TASK/DIMENSION (see: assay checklist show), not \"{}\"",
                    options.name));
  }
  fmt::print("{}", checklist_yaml(find_checklist({}, options.name.substr(0, slash),
                                                 options.name.substr(slash + 1))));
}

int check(const Options& options) {
  bool well = true;
  for (const std::string& path : options.paths) {
    Problems listing;
    for (const std::string& file : yaml_files(path, listing)) {
      Problems problems;
      Checklist list;
      if (const auto text = read_text_file(file, problems)) {
        if (const auto root = parse_yaml(*text, file, problems))
          list = read_checklist(*root, problems);
      }
      for (const Problem& problem : problems.all()) fmt::print("{}\n", problem.str());
      well = well && problems.empty();
      if (problems.empty())
        fmt::print("{}: {}/{}, version {}: {} is well\n", file, list.task, list.dimension,
                   list.version, told(count_questions(list)));
    }
    for (const Problem& problem : listing.all()) fmt::print("{}\n", problem.str());
    well = well && listing.empty();
  }
  return well ? kWell : kUsage;
}

void merge(const Options& options) {
  std::vector<Checklist> lists;
  for (const std::string& path : options.paths) lists.push_back(load_checklist(path));
  const Checklist all = merge_checklists(lists);
  const std::string yaml = checklist_yaml(all);
  parse_checklist(yaml, options.output.empty() ? "the merged list" : options.output);
  write_output(options.output, yaml);
  fmt::print(stderr, "{}\n", told(count_questions(all)));
}

}  // namespace

void add_checklist(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();  // shared: the callbacks outlive this function
  CLI::App* checklist =
      app.add_subcommand("checklist", "build, show, check and merge the checklists of checkeval");
  checklist->require_subcommand(1);
  add_checklist_build(*checklist, exit_code);

  CLI::App* show_command =
      checklist->add_subcommand("show", "the built-in lists, or one of them as YAML");
  show_command->add_option("checklist", options->name, "TASK/DIMENSION");
  show_command->callback([options] { show(*options); });

  CLI::App* check_command =
      checklist->add_subcommand("check", "tell every problem of checklist files");
  check_command->add_option("path", options->paths, "files or folders")->required();
  check_command->callback([options, &exit_code] { exit_code = check(*options); });

  CLI::App* merge_command = checklist->add_subcommand(
      "merge", "several lists of one dimension as one: each question once, ids given anew");
  merge_command->add_option("path", options->paths, "checklist files")->required();
  merge_command->add_option("-o,--output", options->output, "the file to write [standard output]");
  merge_command->callback([options] { merge(*options); });

  add_checklist_weigh(*checklist, exit_code);
  checklist->footer(
      "Examples:\n"
      "  assay checklist show summarization/coherence > mine.yaml\n"
      "  assay checklist build --seeds mine.yaml --judge openai:gpt-4o -o grown.yaml\n"
      "  assay checklist check grown.yaml && assay eval rows.jsonl -d coherence -m checkeval "
      "--checklist grown.yaml --judge openai:gpt-4o");
}

}  // namespace assay::cli
