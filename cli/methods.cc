// `assay methods`: what can be run, and what only can be read.

#include <fmt/core.h>

#include "commands.h"
#include "methods/registry.h"
#include "table.h"
#include "text/json_text.h"

namespace assay::cli {
namespace {

constexpr const char* kArity[] = {"row", "group", "metric", "imported"};

void print_json(const std::vector<MethodInfo>& methods) {
  std::string out = "{\"methods\":[";
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const MethodInfo& m = methods[i];
    out += fmt::format("{}{{\"name\":{},\"arity\":\"{}\",\"summary\":{},\"source\":{}}}",
                       i == 0 ? "" : ",", json_text(m.name), kArity[static_cast<int>(m.arity)],
                       json_text(m.summary), json_text(m.source));
  }
  fmt::print("{}]}}\n", out);
}

}  // namespace

void add_methods(CLI::App& app, int&) {
  CLI::App* verb = app.add_subcommand("methods", "list the evaluators");
  auto format = std::make_shared<std::string>(
      "table");  // shared with the callback, which outlives this function
  verb->add_option("--format", *format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  verb->footer("Examples:\n  assay methods\n  assay methods --format json");
  verb->callback([format] {
    const std::vector<MethodInfo> methods = method_list();
    if (*format == "json") return print_json(methods);
    Table table;
    table.column("method", false);
    table.column("what it does", false);
    for (const MethodInfo& m : methods) table.rows.push_back({m.name, m.summary});
    fmt::print("{}", render(table, Format::kTable, wants_colour(false)));
  });
}

}  // namespace assay::cli
