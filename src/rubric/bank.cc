// Hypothesis bank files. The file is a stream of YAML documents: the first is the bank, each
// further one the record of a seed (questions and replies, for audit). Only the first is parsed: a
// record may have megabytes, and a score never depends on it. "---" at the beginning of a line
// parts documents in YAML wherever it stands, so the split needs no parser. Tested in
// tests/methods/hypoeval_test.cc, with mutated files too.

#include "rubric/bank.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "assay/error.h"
#include "core/hash.h"
#include "rubric/files.h"
#include "rubric/reader.h"
#include "text/json_text.h"

namespace assay {
namespace {

constexpr int kVersion = 1;
const std::vector<std::string> kOrigins = {"initial", "wrong-rows", "literature", "zero-shot"};

// The documents of a stream, without the lines that part them.
std::vector<std::string_view> documents_of(std::string_view text) {
  std::vector<std::string_view> documents;
  std::size_t begin = 0;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    if (text.substr(line, end - line) == "---") {
      if (line > begin || !documents.empty()) documents.push_back(text.substr(begin, line - begin));
      begin = std::min(end + 1, text.size());
    }
    line = end + 1;
  }
  documents.push_back(text.substr(begin));
  return documents;
}

// --- reading ---

std::optional<double> optional_number(MapReader& reader, const std::string& key) {
  if (!reader.has(key)) return std::nullopt;
  return reader.number(key, 0);
}

Scale read_scale(MapReader& reader, const std::string& key, Problems& problems) {
  const YamlNode* node = reader.map(key, true);
  if (!node) return {1, 5};
  MapReader scale(*node, key, problems);
  const Scale read{scale.number("from", 1), scale.number("to", 5)};
  scale.finish();
  if (!(read.lo < read.hi))
    reader.problem(key, fmt::format("\"{}\" must go from a lower to a higher number", key));
  return read;
}

Named<std::string> read_words(MapReader& reader, const std::string& key) {
  Named<std::string> words;
  if (const YamlNode* node = reader.map(key)) {
    for (const auto& [name, value] : node->entries) words.emplace_back(name.text, value.text);
  }
  return words;
}

BankHypothesis read_hypothesis(const YamlNode& node, const std::string& where, Problems& problems) {
  BankHypothesis h;
  MapReader reader(node, where, problems);
  h.id = reader.id("id", true);
  h.origin = reader.choice("origin", "initial", kOrigins);
  h.selected = reader.boolean("selected", false);
  h.united = reader.boolean("united", h.selected);
  h.reward = optional_number(reader, "reward");
  h.rows = reader.integer("rows", 0);
  h.pearson = optional_number(reader, "pearson");
  h.text = reader.text("text", true);
  reader.finish();
  return h;
}

void check_hypotheses(const LearnedBank& learned, MapReader& reader) {
  std::set<std::string> ids;
  bool selected = false;
  for (const BankHypothesis& h : learned.hypotheses) {
    selected = selected || h.selected;
    if (!h.id.empty() && !ids.insert(h.id).second) {
      reader.problem("hypotheses",
                     fmt::format("two hypotheses of seed {} are named \"{}\"", learned.seed, h.id));
    }
  }
  if (!selected)
    reader.problem(
        "hypotheses",
        fmt::format("no hypothesis of seed {} is selected: set `selected: true`", learned.seed));
}

LearnedBank read_seed(const YamlNode& node, std::size_t number, Problems& problems) {
  LearnedBank learned;
  MapReader reader(node, fmt::format("entry {} of seeds", number), problems);
  learned.seed = reader.integer("seed", 0);
  learned.seen = reader.texts("seen");
  learned.notes = reader.texts("notes");
  if (const YamlNode* list = reader.list("hypotheses", true)) {
    for (const YamlNode& item : list->items) {
      if (item.kind != YamlNode::Kind::kMap) {
        problems.add(item.file, item.line,
                     fmt::format("a hypothesis must be a map of keys, not {}", kind_name(item)));
        continue;
      }
      const std::string where = fmt::format("hypothesis {}", learned.hypotheses.size() + 1);
      learned.hypotheses.push_back(read_hypothesis(item, where, problems));
    }
    check_hypotheses(learned, reader);
  }
  reader.finish();
  return learned;
}

Bank read_bank(const YamlNode& root, Problems& problems) {
  Bank bank;
  if (root.kind != YamlNode::Kind::kMap || !root.find("bank")) {
    problems.add(root.file, root.line,
                 "not a hypothesis bank: the key \"bank\" is missing; make one with `assay learn`");
    return bank;
  }
  MapReader reader(root, "", problems);
  if (const int version = reader.integer("bank", kVersion); version != kVersion) {
    reader.problem("bank", fmt::format("format {} is not known; this program reads format {}",
                                       version, kVersion));
  }
  bank.task = reader.text("task", true);
  bank.dimension = reader.text("dimension", true);
  bank.rubric = reader.text("rubric", false);
  bank.scale = read_scale(reader, "scale", problems);
  bank.labels = read_scale(reader, "labels", problems);
  bank.judges = read_words(reader, "judges");
  bank.options = read_words(reader, "options");
  bank.literature = reader.texts("literature");
  if (const YamlNode* seeds = reader.list("seeds", true)) {
    if (seeds->items.empty()) reader.problem("seeds", "\"seeds\" is empty: nothing was learned");
    for (const YamlNode& node : seeds->items) {
      if (node.kind == YamlNode::Kind::kMap) {
        bank.seeds.push_back(read_seed(node, bank.seeds.size() + 1, problems));
      } else {
        problems.add(
            node.file, node.line,
            fmt::format("an entry of seeds must be a map of keys, not {}", kind_name(node)));
      }
    }
  }
  reader.finish();
  return bank;
}

// --- writing ---

bool fits_block(std::string_view text) {
  if (text.empty() || text.front() <= ' ' || text.back() <= ' ') return false;
  return std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  });
}

std::string words_entry(int indent, std::string_view key, const std::vector<std::string>& words) {
  std::string out = fmt::format("{:{}}{}: [", "", indent, key);
  for (std::size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : ", ") + json_text(words[i]);
  return out + "]\n";
}

std::string map_entry(std::string_view key, const Named<std::string>& words) {
  if (words.empty()) return {};
  std::string out = fmt::format("{}:\n", key);
  for (const auto& [name, value] : words) out += fmt::format("  {}: {}\n", name, json_text(value));
  return out;
}

std::string hypothesis_entry(const BankHypothesis& h) {
  std::string out = fmt::format("      - id: {}\n        origin: {}\n", h.id, h.origin);
  if (h.united) out += "        united: true\n";
  if (h.selected) out += "        selected: true\n";
  if (h.reward) out += fmt::format("        reward: {}\n", *h.reward);
  out += fmt::format("        rows: {}\n", h.rows);
  if (h.pearson) out += fmt::format("        pearson: {}\n", *h.pearson);
  return out + yaml_entry(8, "text", h.text);
}

std::string seed_entry(const LearnedBank& learned) {
  std::string out = fmt::format("  - seed: {}\n", learned.seed);
  out += words_entry(4, "seen", learned.seen);
  if (!learned.notes.empty()) out += words_entry(4, "notes", learned.notes);
  out += "    hypotheses:\n";
  for (const BankHypothesis& h : learned.hypotheses) out += hypothesis_entry(h);
  return out;
}

}  // namespace

bool Bank::seen(std::string_view row) const {
  return std::any_of(seeds.begin(), seeds.end(), [&](const LearnedBank& learned) {
    return std::find(learned.seen.begin(), learned.seen.end(), row) != learned.seen.end();
  });
}

std::string Bank::hash() const {
  Hasher hasher;
  hasher.add(task).add(dimension).add(scale.lo).add(scale.hi);
  for (const LearnedBank& learned : seeds) {
    hasher.add(std::int64_t{learned.seed});
    for (const BankHypothesis& h : learned.hypotheses) {
      if (h.selected) hasher.add(h.id).add(h.text);
    }
  }
  return hasher.hex();
}

Bank parse_bank(std::string_view text, const std::string& file) {
  Problems problems;
  const std::vector<std::string_view> documents = documents_of(text);
  const std::optional<YamlNode> root = parse_yaml(documents.front(), file, problems);
  problems.throw_first();
  Bank bank = read_bank(*root, problems);
  problems.throw_first();
  bank.origin = file;
  bank.records.assign(documents.begin() + 1, documents.end());
  return bank;
}

Bank load_bank(const std::string& path) {
  Problems problems;
  const std::optional<std::string> text = read_text_file(path, problems);
  problems.throw_first();
  return parse_bank(*text, path);
}

std::string write_bank(const Bank& bank) {
  std::string out =
      "# A hypothesis bank: `assay eval --method hypoeval --bank FILE` scores with the selected "
      "hypotheses.\n"
      "# They may be edited; the documents after the first record how they were learned.\n";
  out += fmt::format("bank: {}\n", kVersion);
  out += fmt::format("task: {}\n", json_text(bank.task));
  out += fmt::format("dimension: {}\n", json_text(bank.dimension));
  if (!bank.rubric.empty()) out += fmt::format("rubric: {}\n", json_text(bank.rubric));
  out += fmt::format("scale: {{from: {}, to: {}}}\n", bank.scale.lo, bank.scale.hi);
  out += fmt::format("labels: {{from: {}, to: {}}}\n", bank.labels.lo, bank.labels.hi);
  out += map_entry("judges", bank.judges) + map_entry("options", bank.options);
  if (!bank.literature.empty()) out += words_entry(0, "literature", bank.literature);
  out += "seeds:\n";
  for (const LearnedBank& learned : bank.seeds) out += seed_entry(learned);
  for (const std::string& record : bank.records) out += "---\n" + record;
  return out;
}

Bank merge_banks(std::vector<Bank> banks) {
  Bank all = std::move(banks.at(0));
  for (std::size_t i = 1; i < banks.size(); ++i) {
    std::move(banks[i].seeds.begin(), banks[i].seeds.end(), std::back_inserter(all.seeds));
    std::move(banks[i].records.begin(), banks[i].records.end(), std::back_inserter(all.records));
  }
  return all;
}

std::string yaml_entry(int indent, std::string_view key, std::string_view text) {
  std::string out = fmt::format("{:{}}{}: ", "", indent, key);
  if (!fits_block(text)) return out + json_text(text) + "\n";
  out += "|-\n";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out += fmt::format("{:{}}{}", "", indent + 2, text.substr(at, end - at));
    out += "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace assay
