// Reference metrics as methods, so that everything that applies to judges (meta-evaluation,
// comparison, reports) applies to them. The evidence tree has one leaf per reference:
//   mean      the plain mean; in the rouge155 convention rounded to nine decimals, as the last
//   child max       the best reference has weight 1, the others 0 joint     one leaf: the metric
//   itself combines the references
// Tested in tests/metrics_expected/method_test.cc.

#include "methods/metric_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

Score unscored(std::string reason) {
  return {.score = {}, .reason = std::move(reason), .evidence = {}};
}

std::vector<Evidence> leaves(const std::vector<Compared>& parts, bool source) {
  std::vector<Evidence> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Evidence one =
        leaf(source ? "source" : fmt::format("references/{}", i + 1), 0, 1, parts[i].note);
    one.value = parts[i].value;
    result.push_back(std::move(one));
  }
  return result;
}

// Means of five-decimal figures that are equal on paper are made equal in the program.
Evidence rounded_mean(const std::string& label, std::vector<Evidence> parts) {
  std::vector<std::int64_t> figures;
  for (const Evidence& part : parts) figures.push_back(std::llround(*part.value * 1e5));
  std::vector<Evidence> children;
  children.push_back(node("mean", Op::kMean, std::move(parts)));
  children.push_back(
      leaf("rounded", rouge155_mean(figures), 1, "to nine decimals, so that equal means tie"));
  return node(label, Op::kLast, std::move(children));
}

Evidence best(const std::string& label, std::vector<Evidence> parts) {
  const auto most =
      std::max_element(parts.begin(), parts.end(),
                       [](const Evidence& a, const Evidence& b) { return *a.value < *b.value; });
  for (Evidence& part : parts) part.weight = &part == &*most ? 1 : 0;
  return node(label, Op::kWeighted, std::move(parts));
}

Evidence combine(const MetricSpec& spec, std::vector<Evidence> parts) {
  const bool all =
      std::all_of(parts.begin(), parts.end(), [](const auto& p) { return p.value.has_value(); });
  if (!all)
    return node(spec.name, Op::kMean, std::move(parts));  // unscored; shows which one failed
  if (spec.rule == ReferenceRule::kMax) return best(spec.name, std::move(parts));
  if (spec.convention == "rouge155" && parts.size() > 1)
    return rounded_mean(spec.name, std::move(parts));
  return node(spec.name, Op::kMean, std::move(parts));
}

Evidence build(const MetricSpec& spec, Scorer& scorer, const Sample& sample) {
  const std::vector<std::string> source{spec.against_source ? sample.fields.source : std::string()};
  const std::vector<std::string>& references =
      spec.against_source ? source : sample.fields.references;
  const std::string& output = sample.fields.output;
  if (spec.rule != ReferenceRule::kJoint) {
    return combine(spec, leaves(scorer.each(output, references), spec.against_source));
  }
  const Compared all = scorer.joint(output, references);
  Evidence one = leaf(spec.name, 0, 1, all.note);
  one.value = all.value;
  return one;
}

// The first leaf that could not be computed.
const Evidence* failed(const Evidence& evidence) {
  if (evidence.op == Op::kLeaf) return evidence.value ? nullptr : &evidence;
  for (const Evidence& child : evidence.children) {
    if (const Evidence* leaf = failed(child)) return leaf;
  }
  return nullptr;
}

class MetricMethod : public RowMethod {
 public:
  MetricMethod(const MetricSpec& spec, std::string dimension)
      : spec_(spec),
        dimension_(std::move(dimension)),
        wordnet_(metric_wordnet(std::span(&spec, 1))) {}

  std::string name() const override { return spec_.name; }
  std::string dimension() const override { return dimension_; }
  std::string layout() const override { return ""; }
  std::string settings() const override { return metric_signature(spec_); }

  // A scorer per call: what it would keep between rows is state, which a method has none of.
  Step next(const Sample& sample, const Transcript&) const override {
    return metric_score(spec_, *make_scorer(spec_, wordnet_), sample);
  }

 private:
  MetricSpec spec_;
  std::string dimension_;
  std::shared_ptr<const WordNet> wordnet_;  // shared with the scorers it makes
};

}  // namespace

Score metric_score(const MetricSpec& spec, Scorer& scorer, const Sample& sample) {
  if (sample.fields.output.empty()) return unscored("no output to compare");
  if (spec.against_source && sample.fields.source.empty())
    return unscored("no source to compare the output with");
  if (!spec.against_source && sample.fields.references.empty()) {
    return unscored("no references to compare the output with");
  }
  Score score;
  score.evidence = build(spec, scorer, sample);
  score.evidence.note = score.evidence.note.empty()
                            ? metric_signature(spec)
                            : fmt::format("{}; {}", metric_signature(spec), score.evidence.note);
  if (const Evidence* leaf = failed(score.evidence)) {
    score.reason = fmt::format("{}: {}", leaf->label, leaf->note);
    score.evidence.value.reset();
    return score;
  }
  score.score = score.evidence.value;
  return score;
}

std::unique_ptr<RowMethod> make_metric_method(const MetricSpec& spec, std::string dimension) {
  return std::make_unique<MetricMethod>(spec, std::move(dimension));
}

}  // namespace assay
