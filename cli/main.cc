#include <fmt/core.h>

#include <exception>

#include "assay/error.h"
#include "assay/write_error.h"
#include "commands.h"

int main(int argc, char** argv) {
  CLI::App app("Assay judges generated text: unit by unit, with a reason for every point lost.",
               "assay");
  app.set_version_flag("--version", std::string("assay ") + ASSAY_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  int exit_code = assay::cli::kWell;
  assay::cli::add_commands(app, exit_code);
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
      fmt::print(stderr, "assay: there is no command \"{}\"; see `assay --help`\n", argv[1]);
      return assay::cli::kUsage;
    }
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::cli::kUsage;
  } catch (const assay::ConfigError& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::cli::kUsage;
  } catch (const assay::WriteError& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::cli::kUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "assay: unexpected: {}\n", error.what());
    return assay::cli::kUsage;
  }
}
