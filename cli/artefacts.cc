#include "artefacts.h"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "assay/error.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

// "g-eval-coherence-openai_gpt-4o.yaml"
std::string file_name(const Lane& lane) {
  std::string judge = lane.judge().name();
  for (char& c : judge) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  }
  return fmt::format("{}-{}-{}.yaml", lane.method, lane.dimension, judge);
}

Artefact read_artefact(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in)
    throw ConfigError(fmt::format(
        "{}: cannot be read; make it readable, or delete it to have it made again", path.string()));
  return {"given", text.str(), {}};
}

void write_artefact(const fs::path& path, const Artefact& artefact) {
  const fs::path partial = path.string() + ".partial";
  std::ofstream out(partial, std::ios::binary);
  out << artefact.body;
  out.close();
  std::error_code failed;
  if (out) fs::rename(partial, path, failed);
  if (!out || failed)
    throw ConfigError(
        fmt::format("--artefacts: {} cannot be written; name another folder", path.string()));
}

Artefact ask(const PrepareMethod& method, Preparation preparation, const Lane& lane,
             const EngineOptions& options, Store* store) {
  Engine engine(options, store);
  auto work = std::make_unique<PrepareWork>(std::move(preparation), method, lane.judges);
  Artefact artefact;
  const RunTotals totals = engine.run(
      [&]() -> std::unique_ptr<Work> { return std::move(work); },
      [&](std::unique_ptr<Work> done) { artefact = static_cast<PrepareWork&>(*done).artefact(); });
  if (totals.stop != StopReason::kNone) {
    throw ConfigError(
        fmt::format("{}: stopped while preparing {}: {}; the same command goes on from here",
                    method.name(), lane.dimension, totals.stop_detail));
  }
  return artefact;
}

}  // namespace

std::vector<Row> labelled_rows(const EvalOptions& options) {
  std::vector<Row> rows;
  if (options.labelled.empty()) return rows;
  IngestOptions ingest;
  ingest.path = options.labelled;
  RowReader reader(ingest);
  while (std::optional<Row> row = reader.next()) rows.push_back(std::move(*row));
  return rows;
}

Artefact artefact_for(const PrepareMethod& method, const Evaluation& evaluation, const Lane& lane,
                      const EngineOptions& engine, Store* store, Planner* planner) {
  const std::string& folder = evaluation.options.artefacts;
  const fs::path path = fs::path(folder) / file_name(lane);
  if (!folder.empty() && fs::exists(path)) return read_artefact(path);
  Preparation preparation{evaluation.options.task, lane.dimension, evaluation.labelled, {}};
  if (planner != nullptr) {
    const std::unique_ptr<Work> work = planner->add(
        [&] { return std::make_unique<PrepareWork>(preparation, method, lane.judges); });
    return static_cast<const PrepareWork&>(*work).artefact();
  }
  Artefact artefact = ask(method, std::move(preparation), lane, engine, store);
  if (!folder.empty()) {
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    write_artefact(path, artefact);
  }
  return artefact;
}

}  // namespace assay::cli
