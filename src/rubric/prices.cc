#include "rubric/prices.h"

#include "assay/error.h"
#include "rubric/embedded.h"
#include "rubric/files.h"
#include "rubric/reader.h"
#include "rubric/yaml.h"

namespace assay {
namespace {

constexpr std::string_view kBuiltIn = "prices/prices.yaml";

double price_of(MapReader& reader, const std::string& key, double fallback) {
  const double price = reader.number(key, fallback);
  if (price < 0) reader.problem(key, "a price must not be negative");
  return price;
}

}  // namespace

PriceTable PriceTable::load(const std::string& path) {
  PriceTable table;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == kBuiltIn) table.add(std::string(file.path), file.text);
  }
  if (!path.empty()) {
    Problems problems;
    const std::optional<std::string> text = read_text_file(path, problems);
    problems.throw_first();
    table.add(path, *text);
  }
  return table;
}

void PriceTable::add(const std::string& file, std::string_view text) {
  Problems problems;
  const std::optional<YamlNode> root = parse_yaml(text, file, problems);
  problems.throw_first();
  MapReader top(*root, "", problems);
  const YamlNode* list = top.list("prices", true);
  top.finish();
  problems.throw_first();
  for (const YamlNode& item : list->items) {
    MapReader reader(item, "a price", problems);
    Entry entry;
    entry.model = reader.text("model", true);
    entry.price.input = price_of(reader, "input", 0);
    entry.price.cached = price_of(reader, "cached", entry.price.input);
    entry.price.output = price_of(reader, "output", 0);
    entry.price.written = price_of(reader, "written", 0);
    reader.finish();
    entries_.push_back(std::move(entry));
  }
  problems.throw_first();
}

std::optional<TokenPrice> PriceTable::find(std::string_view judge) const {
  const auto matches = [&](const std::string& model) {
    if (!judge.starts_with(model)) return false;
    const std::string_view rest = judge.substr(model.size());
    return rest.empty() || (rest.size() > 1 && rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9');
  };
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (matches(entry->model)) return entry->price;
  }
  return std::nullopt;
}

}  // namespace assay
