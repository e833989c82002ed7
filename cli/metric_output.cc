#include "metric_output.h"

#include <algorithm>

#include "report/reporters.h"

namespace assay::cli {

Outputs::Outputs(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const bool lines = path == "-" || path.ends_with(".jsonl") || path.ends_with(".ndjson");
    takes_stdout_ = takes_stdout_ || path == "-";
    if (lines) {
      sinks_.push_back(std::make_unique<report::Sink>(path));
    } else {
      reporters_.push_back(make_reporter(path));
    }
  }
}

void Outputs::write(const Scored& scored) {
  for (auto& sink : sinks_) sink->write(scored.lines);
  const std::size_t samples = std::max<std::size_t>(1, scored.block.samples.size());
  const std::size_t each = scored.results.size() / samples;
  for (std::size_t i = 0; i < scored.results.size(); ++i) {
    for (auto& reporter : reporters_)
      reporter->add(scored.block.samples[i / each], scored.results[i]);
  }
}

void Outputs::finish() {
  for (auto& sink : sinks_) sink->finish();
  for (auto& reporter : reporters_) reporter->finish();
}

}  // namespace assay::cli
