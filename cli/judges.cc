// `assay judges`: who can be asked.

#include <fmt/core.h>

#include "commands.h"
#include "judge_setup.h"
#include "table.h"
#include "text/json_text.h"

namespace assay::cli {

void add_judges(CLI::App& app, int&) {
  CLI::App* verb = app.add_subcommand("judges", "list who can be asked, and what each needs");
  auto format = std::make_shared<std::string>(
      "table");  // shared with the callback, which outlives this function
  verb->add_option("--format", *format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  verb->footer(
      "Examples:\n  assay judges\n  assay doctor            is everything they need there?");
  verb->callback([format] {
    const std::vector<JudgeKind> kinds = judge_kinds();
    if (*format == "json") {
      std::string out = "{\"judges\":[";
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        out += fmt::format("{}{{\"name\":{},\"summary\":{},\"needs\":{}}}", i == 0 ? "" : ",",
                           json_text(kinds[i].name), json_text(kinds[i].summary),
                           json_text(kinds[i].needs));
      }
      fmt::print("{}]}}\n", out);
      return;
    }
    Table table;
    for (const char* name : {"judge", "what it is", "needs"}) table.column(name, false);
    for (const JudgeKind& kind : kinds) table.rows.push_back({kind.name, kind.summary, kind.needs});
    fmt::print("{}", render(table, Format::kTable, wants_colour(false)));
  });
}

}  // namespace assay::cli
