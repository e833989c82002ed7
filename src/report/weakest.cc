#include "report/weakest.h"

#include <algorithm>
#include <utility>

#include "assay/error.h"

namespace assay {
namespace {

constexpr double kFault = 0.25;

std::string last_part(const std::string& label) {
  const std::size_t slash = label.rfind('/');
  std::string name = slash == std::string::npos ? label : label.substr(slash + 1);
  // A bare number says nothing without what it counts.
  if (name.find_first_not_of("0123456789") == std::string::npos) name = label;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '_' || c == '/'; }, ' ');
  return name;
}

bool inside_character(const std::string& text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

// A span is trusted only as far as the text goes, and never cuts a character.
std::string text_of(const Sample& sample, const std::optional<Span>& span) {
  if (!span) return {};
  std::string text;
  try {
    text = field_text(sample, span->field);
  } catch (const ConfigError&) {
    return {};
  }
  std::size_t end = std::min(span->end, text.size());
  std::size_t begin = std::min(span->begin, end);
  while (inside_character(text, begin)) ++begin;
  while (inside_character(text, end)) ++end;
  return begin < end ? text.substr(begin, end - begin) : std::string{};
}

class Walk {
 public:
  Walk(const Sample& sample, const Result& result)
      : sample_(sample),
        low_(result.scale ? result.scale->lo : 0),
        high_(result.scale ? result.scale->hi : 1) {}

  std::vector<WeakUnit> units(const Evidence& root) {
    visit(root, 1, nullptr, 0);
    return std::move(units_);
  }

 private:
  static double share(const Evidence& parent, std::size_t i) {
    const Evidence& child = parent.children[i];
    if (!child.value) return 0;
    const auto counted = std::count_if(parent.children.begin(), parent.children.end(),
                                       [](const Evidence& c) { return c.value.has_value(); });
    switch (parent.op) {
      case Op::kWeighted:
        return child.weight;
      case Op::kSum:
        return 1;
      case Op::kLast:
        return i + 1 == parent.children.size() ? 1 : 0;
      default:
        return 1 / static_cast<double>(counted);
    }
  }

  // `unit` is the node whose text a leaf below is about.
  void visit(const Evidence& node, double weight, const Evidence* unit, int depth) {
    const bool opens = node.span.has_value() || depth == 1;
    if (opens && (unit == nullptr || node.span)) unit = open(node);
    // The options of a scale are no questions: the node answers as a whole.
    if (node.children.empty() || node.op == Op::kExpected) return leaf(node, weight, unit);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      visit(node.children[i], weight * share(node, i), unit, depth + 1);
    }
  }

  const Evidence* open(const Evidence& node) {
    WeakUnit unit{text_of(sample_, node.span), node.note, last_part(node.label), 0, {}};
    // A leaf's note is its fault's; a unit that repeats its text has nothing to add.
    if (node.children.empty() || unit.note == unit.text) unit.note.clear();
    units_.push_back(std::move(unit));
    return &node;
  }

  void leaf(const Evidence& node, double weight, const Evidence* unit) {
    if (!node.value) return;
    if (unit == nullptr) units_.push_back({{}, {}, last_part(node.label), 0, {}});
    const double range = high_ > low_ ? high_ - low_ : 1;
    const double value = std::clamp((*node.value - low_) / range, 0.0, 1.0);
    WeakUnit& current = units_.back();
    current.loss += weight * (1 - value);
    if (1 - value >= kFault) current.faults.push_back({last_part(node.label), value, node.note});
  }

  const Sample& sample_;
  double low_;
  double high_;
  std::vector<WeakUnit> units_;
};

}  // namespace

Weakness find_weakest(const Sample& sample, const Result& result, std::size_t most) {
  Weakness weakness;
  if (result.judge == "none") return weakness;
  weakness.units = Walk(sample, result).units(result.evidence);
  weakness.all = weakness.units.size();
  std::erase_if(weakness.units, [](const WeakUnit& unit) { return unit.faults.empty(); });
  weakness.weak = weakness.units.size();
  for (WeakUnit& unit : weakness.units) {
    std::stable_sort(unit.faults.begin(), unit.faults.end(),
                     [](const Fault& a, const Fault& b) { return a.value < b.value; });
  }
  std::stable_sort(weakness.units.begin(), weakness.units.end(),
                   [](const WeakUnit& a, const WeakUnit& b) { return a.loss > b.loss; });
  if (weakness.units.size() > most) weakness.units.resize(most);
  return weakness;
}

}  // namespace assay
