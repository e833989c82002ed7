// assay runs list|show|export|delete: the runs a ledger keeps.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/error.h"
#include "assay/store.h"
#include "commands.h"
#include "table.h"

namespace assay::cli {

void add_runs(CLI::App& app, int& exit_code);

namespace {

struct Options {
  std::string store;
  std::string format = "table";
  std::string output;
  std::vector<std::string> ids;
  bool unused = false;
};

// A ledger that is not there is not made by looking for it.
std::unique_ptr<Store> open_existing(const Options& options) {
  LedgerOptions ledger;
  ledger.path = options.store.empty() ? default_ledger_path() : options.store;
  if (!std::filesystem::exists(ledger.path)) {
    throw ConfigError(fmt::format(
        "{}: no ledger there: name one with --store, or make it with `assay eval`", ledger.path));
  }
  return open_ledger(ledger);
}

// The run whose id begins so; ConfigError where there is none, or more than one.
RunInfo run_of(Store& store, const std::string& prefix) {
  std::vector<RunInfo> found;
  for (RunInfo& run : store.runs()) {
    if (run.id == prefix) return run;
    if (!prefix.empty() && run.id.starts_with(prefix)) found.push_back(std::move(run));
  }
  if (found.empty()) {
    throw ConfigError(
        fmt::format("no run '{}' in the ledger: `assay runs list` names them", prefix));
  }
  if (found.size() > 1) {
    throw ConfigError(
        fmt::format("'{}' begins {} runs: give more of the id", prefix, found.size()));
  }
  return found.front();
}

std::string time_text(std::int64_t created) {
  return created == 0
             ? "-"
             : fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(created)));
}

nlohmann::ordered_json json_of(const RunInfo& run) {
  auto options = nlohmann::ordered_json::parse(run.options, nullptr, false);
  if (options.is_discarded()) options = run.options;
  return {{"id", run.id},           {"created", run.created}, {"state", run.state},
          {"command", run.command}, {"method", run.method},   {"judge", run.judge},
          {"rows", run.rows},       {"results", run.results}, {"answers", run.answers},
          {"options", options}};
}

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void list(const Options& options) {
  const auto runs = open_existing(options)->runs();
  if (options.format == "json") {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const RunInfo& run : runs) all.push_back(json_of(run));
    return write_output(options.output, dump({{"runs", std::move(all)}}));
  }
  Table table;
  for (const char* name : {"run", "begun", "state", "method", "judge"}) table.column(name, false);
  for (const char* name : {"rows", "results", "answers"}) table.column(name, true);
  for (const RunInfo& run : runs) {
    table.rows.push_back({run.id.substr(0, 12), time_text(run.created), run.state, run.method,
                          run.judge, std::to_string(run.rows), std::to_string(run.results),
                          std::to_string(run.answers)});
  }
  write_output(options.output, render(table, parse_format(options.format), false));
}

void show(const Options& options) {
  auto store = open_existing(options);
  const RunInfo run = run_of(*store, options.ids.front());
  if (options.format == "json") return write_output(options.output, dump(json_of(run)));
  write_output(options.output,
               fmt::format("run      {}\nbegun    {}\nstate    {}\ncommand  {}\nmethod   {}\n"
                           "judge    {}\nrows     {}\nresults  {}\nanswers  {}\noptions  {}\n",
                           run.id, time_text(run.created), run.state, run.command, run.method,
                           run.judge, run.rows, run.results, run.answers, run.options));
}

// Line by line: a run may be larger than memory.
void export_run(const Options& options) {
  auto store = open_existing(options);
  const RunInfo run = run_of(*store, options.ids.front());
  const bool to_file = !options.output.empty() && options.output != "-";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      to_file ? std::fopen(options.output.c_str(), "wb") : nullptr, &std::fclose);
  if (to_file && !file) throw ConfigError(fmt::format("{}: cannot be written", options.output));
  std::FILE* out = to_file ? file.get() : stdout;
  store->results(run.id, [&](std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), out);
    std::fputc('\n', out);
  });
  if (std::fflush(out) != 0 || std::ferror(out) != 0) {
    throw ConfigError(fmt::format("{}: could not be written to the end",
                                  to_file ? options.output : "standard output"));
  }
}

void erase(const Options& options) {
  if (options.ids.empty() && !options.unused) {
    throw ConfigError("runs delete: name the runs to delete, or --unused");
  }
  auto store = open_existing(options);
  std::vector<std::string> ids;  // all are known before the first is deleted
  for (const std::string& prefix : options.ids) ids.push_back(run_of(*store, prefix).id);
  for (const std::string& id : ids) {
    const std::optional<RunInfo> run = store->run(id);
    if (!store->delete_run(id)) continue;
    fmt::print("deleted run {}\n", id);
    if (run && run->state == "running") {
      fmt::print(
          stderr,
          "assay: it had not ended: should a process still be at it, what it asks from now on "
          "belongs to no run (`assay runs delete --unused`)\n");
    }
  }
  if (options.unused) fmt::print("deleted {} answers of no run\n", store->delete_unused());
}

}  // namespace

void add_runs(CLI::App& app, int&) {
  auto* verb =
      app.add_subcommand("runs", "the runs kept in the ledger: list, show, export, delete");
  verb->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* about, void (*work)(const Options&)) {
    auto* sub = verb->add_subcommand(name, about);
    sub->add_option("--store", options->store, "the ledger [per user]");
    sub->callback([options, work] {
      try {
        work(*options);
      } catch (const LedgerError& error) {  // here the ledger is the input
        throw ConfigError(error.what());
      }
    });
    return sub;
  };
  auto* list_verb = add("list", "every run, oldest first", list);
  auto* show_verb = add("show", "one run", show);
  auto* export_verb = add("export", "the result lines of a run, as JSON Lines", export_run);
  auto* delete_verb = add("delete", "erase runs, and the answers only they used", erase);
  for (auto* sub : {list_verb, show_verb})
    sub->add_option("--format", options->format, "table, json");
  for (auto* sub : {list_verb, show_verb, export_verb}) {
    sub->add_option("-o,--output", options->output, "file [standard output]");
  }
  for (auto* sub : {show_verb, export_verb}) {
    sub->add_option("run", options->ids, "its id, or how that begins")->required()->expected(1);
  }
  delete_verb->add_option("run", options->ids, "ids, or how they begin");
  delete_verb->add_flag("--unused", options->unused, "answers that belong to no run");
}

}  // namespace assay::cli
