// How fast the built-in judge answers: every row of a summarisation file in four dimensions, one
// question each, on the calling thread. Usage: builtin rows.jsonl [rounds]. Prints microseconds a
// row, with a cold and a warm cache.
#include "judges/builtin.h"

#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "text/sentences.h"

namespace assay {
namespace {

struct Dimension {
  const char* name;
  bool pairs;
  std::vector<std::string> evidence;
};

const std::vector<Dimension>& dimensions() {
  static const std::vector<Dimension> all = {
      {"coherence", true, {"source-order", "no-repeated-bigrams", "no-overlap", "weakest-support"}},
      {"consistency", false, {"source-support"}},
      {"fluency", false, {"sentence-form"}},
      {"relevance",
       false,
       {"lead-coverage", "no-repetition", "reference-unigrams", "reference-pyramid"}}};
  return all;
}

Sample sample_of(const nlohmann::json& row) {
  Sample out;
  out.id = row["id"];
  out.fields.source = row["source"];
  out.fields.output = row["output"];
  out.fields.references = row["references"].get<std::vector<std::string>>();
  return out;
}

Request request_of(const Sample& sample, const Dimension& dimension) {
  auto subject = std::make_shared<Subject>();
  subject->sample = sample;
  subject->dimension = dimension.name;
  subject->aspects.push_back({"s", dimension.evidence, 0.5});
  const auto ranges = split_sentences(sample.fields.output);
  const std::size_t step = dimension.pairs && ranges.size() > 1 ? 1 : 0;
  Keyed keyed;
  for (std::size_t i = 0; i + step < ranges.size(); ++i) {
    const std::size_t begin = ranges[i].begin;
    const std::size_t end = ranges[i + step].end;
    keyed.ids.push_back(fmt::format("u{}", i + 1));
    subject->units.push_back({keyed.ids.back(),
                              sample.fields.output.substr(begin, end - begin),
                              {"output", begin, end}});
  }
  Request request;
  request.answer = keyed;
  request.subject = subject;
  return request;
}

int run(const std::string& path, int rounds) {
  std::ifstream file(path);
  if (!file) {
    fmt::print(stderr, "{}: cannot be read\n", path);
    return 2;
  }
  std::vector<Request> requests;
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const Sample sample = sample_of(nlohmann::json::parse(line));
    for (const Dimension& dimension : dimensions())
      requests.push_back(request_of(sample, dimension));
  }
  const auto judge = make_builtin(0);
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t start = std::clock();  // processor time: other programs do not count
    std::size_t refused = 0;
    for (const Request& request : requests) {
      judge->ask(request, [&](Reply reply) { refused += reply.status != Status::kOk; });
    }
    const double took = 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    fmt::print("round {}: {:.1f} us a row for {} dimensions, {} rows, {} refused\n", round,
               took / static_cast<double>(rows), dimensions().size(), rows, refused);
  }
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: builtin rows.jsonl [rounds]\n");
    return 2;
  }
  return assay::run(argv[1], argc > 2 ? std::stoi(argv[2]) : 3);
}
