// Built-in files and the user's, parsed, resolved and checked. A rubric may extend another one by
// task/dimension; the user's files are looked up first, and a rubric that extends its own name
// extends the built-in one of that name. So a file of three lines can change one threshold.
#include "rubric/library.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "assay/error.h"
#include "rubric/embedded.h"
#include "rubric/files.h"
#include "rubric/reader.h"

namespace assay {
namespace {

struct Document {
  std::string text;
  YamlNode root;
  bool built_in = false;
};

std::string scalar(const YamlNode& root, std::string_view key) {
  const YamlNode* value = root.find(key);
  return value && value->kind == YamlNode::Kind::kScalar ? value->text : "";
}

std::string name_of(const YamlNode& root) {
  return scalar(root, "task") + "/" + scalar(root, "dimension");
}

// Parsed documents by name, and the chains of `extends` between them.
class Shelf {
 public:
  void add(std::string text, const std::string& file, bool built_in, Problems& problems) {
    auto root = parse_yaml(text, file, problems);
    if (!root) return;
    if (root->kind != YamlNode::Kind::kMap) {
      problems.add(file, root->line,
                   fmt::format("a rubric must be a map of keys, not {}", kind_name(*root)));
      return;
    }
    documents_.push_back({std::move(text), std::move(*root), built_in});
  }

  const std::vector<Document>& documents() const { return documents_; }

  // The document with everything it extends merged in; nothing on a problem.
  std::optional<YamlNode> resolve(const Document& document, Problems& problems) const {
    std::vector<const Document*> chain{&document};
    while (const YamlNode* extends = chain.back()->root.find("extends")) {
      const Document* parent = parent_of(*chain.back(), extends->text);
      const auto complain = [&](std::string text) {
        problems.add(extends->file, extends->line, std::move(text));
        return std::nullopt;
      };
      if (!parent) {
        const auto names = rubric_names();
        return complain(fmt::format("it extends \"{}\", which does not exist{}; known: {}",
                                    extends->text, did_you_mean_clause(extends->text, names),
                                    fmt::join(names, ", ")));
      }
      const bool seen = std::find(chain.begin(), chain.end(), parent) != chain.end();
      chain.push_back(parent);
      if (seen) return complain("extends goes round in a circle: " + told(chain));
    }
    YamlNode merged = chain.back()->root;
    for (std::size_t i = chain.size() - 1; i-- > 0;) merged = merge_rubrics(merged, chain[i]->root);
    merged.file = document.root.file;
    return merged;
  }

 private:
  const Document* parent_of(const Document& child, const std::string& name) const {
    const bool itself = name == name_of(child.root);
    const Document* built_in = nullptr;
    for (const Document& document : documents_) {
      if (is_prompt(document.root) || name_of(document.root) != name) continue;
      if (document.built_in) built_in = &document;
      if (!document.built_in && !itself) return &document;
    }
    // A rubric that extends its own name with nothing built in under it is its own parent: a
    // circle.
    return built_in || !itself ? built_in : &child;
  }

  std::vector<std::string> rubric_names() const {
    std::set<std::string> names;
    for (const Document& document : documents_) {
      if (!is_prompt(document.root)) names.insert(name_of(document.root));
    }
    return {names.begin(), names.end()};
  }

  static std::string told(const std::vector<const Document*>& chain) {
    std::vector<std::string> names;
    for (const Document* document : chain) names.push_back(name_of(document->root));
    return fmt::format("{}", fmt::join(names, " -> "));
  }

  std::vector<Document> documents_;
};

Shelf built_in_shelf(Problems& problems) {
  Shelf shelf;
  for (const EmbeddedFile& file : embedded_files()) {
    // Checklists and prices have readers of their own.
    if (!file.path.starts_with("rubrics/") && !file.path.starts_with("prompts/")) continue;
    shelf.add(std::string(file.text), std::string(file.path), true, problems);
  }
  return shelf;
}

void add_path(Shelf& shelf, const std::string& path, Problems& problems) {
  for (const std::string& file : yaml_files(path, problems)) {
    if (auto text = read_text_file(file, problems))
      shelf.add(std::move(*text), file, false, problems);
  }
}

// A user's file that names a prompt or rubric which another of the user's files names too.
void check_repeat(std::map<std::string, std::string>& seen, const std::string& name,
                  const YamlNode& root, Problems& problems) {
  const auto [earlier, fresh] = seen.emplace(name, root.file);
  if (!fresh)
    problems.add(root.file, root.line, fmt::format("\"{}\" is also in {}", name, earlier->second));
}

// A method supplies the values its built-in prompts use and no others.
void check_values(const Prompt& prompt, const std::map<std::string, Prompt, std::less<>>& built_in,
                  const YamlNode& root, Problems& problems) {
  const std::string method = prompt.id.substr(0, prompt.id.find('/') + 1);
  std::set<std::string> supplied;
  for (const auto& [id, other] : built_in) {
    if (!id.starts_with(method)) continue;
    for (std::string& name : prompt_values(other)) supplied.insert(std::move(name));
  }
  if (supplied.empty()) return;
  const std::vector<std::string> known(supplied.begin(), supplied.end());
  for (const std::string& name : prompt_values(prompt)) {
    if (supplied.contains(name)) continue;
    problems.add(root.file, root.line,
                 fmt::format("{{{{{}}}}} is no value of this method{}; there are {}", name,
                             did_you_mean_clause(name, known), fmt::join(known, ", ")));
  }
}

template <class Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

}  // namespace

void RubricLibrary::add(std::span<const std::string> paths, std::span<const std::string> evidence,
                        Problems& problems, std::vector<std::string>& well) {
  Shelf shelf = built_in_shelf(problems);
  for (const std::string& path : paths) add_path(shelf, path, problems);
  std::map<std::string, std::string> seen;
  for (const Document& document : shelf.documents()) {
    const std::size_t before = problems.all().size();
    std::string name;
    if (is_prompt(document.root)) {
      Prompt prompt = read_prompt(document.root, problems);
      name = prompt.id;
      if (!document.built_in) check_values(prompt, prompts_, document.root, problems);
      prompts_[name] = std::move(prompt);
    } else if (const auto merged = shelf.resolve(document, problems)) {
      Rubric rubric = read_rubric(*merged, evidence, problems);
      name = rubric.task + "/" + rubric.id;
      if (document.built_in) rubric.origin = "built in";
      Entry& entry = rubrics_[rubric.task][rubric.id];
      entry = {std::move(rubric), document.text};
    }
    if (document.built_in || name.empty()) continue;
    check_repeat(seen, name, document.root, problems);
    if (problems.all().size() == before) well.push_back(document.root.file + ": " + name);
  }
}

RubricLibrary RubricLibrary::load(const std::string& path, std::span<const std::string> evidence) {
  RubricLibrary library;
  Problems problems;
  std::vector<std::string> well;
  std::vector<std::string> paths;
  if (!path.empty()) paths.push_back(path);
  library.add(paths, evidence, problems, well);
  problems.throw_first();
  return library;
}

RubricCheck check_rubrics(std::span<const std::string> paths,
                          std::span<const std::string> evidence) {
  RubricLibrary library;
  Problems problems;
  RubricCheck check;
  library.add(paths, evidence, problems, check.well);
  check.problems = problems.all();
  return check;
}

const RubricLibrary::Entry& RubricLibrary::entry(std::string_view task,
                                                 std::string_view dimension) const {
  const auto found = rubrics_.find(task);
  if (found == rubrics_.end()) {
    const auto known = tasks();
    throw ConfigError(fmt::format("no rubric for task \"{}\"{}; known tasks: {}", task,
                                  did_you_mean_clause(task, known), fmt::join(known, ", ")));
  }
  const auto entry = found->second.find(dimension);
  if (entry == found->second.end()) {
    const auto known = dimensions(task);
    throw ConfigError(fmt::format(
        "no rubric for dimension \"{}\" of task \"{}\"{}; known dimensions: {}", dimension, task,
        did_you_mean_clause(dimension, known), fmt::join(known, ", ")));
  }
  return entry->second;
}

const Rubric& RubricLibrary::get(std::string_view task, std::string_view dimension) const {
  return entry(task, dimension).rubric;
}

const std::string& RubricLibrary::yaml(std::string_view task, std::string_view dimension) const {
  return entry(task, dimension).yaml;
}

const Prompt& RubricLibrary::prompt(std::string_view id) const {
  const auto found = prompts_.find(id);
  if (found != prompts_.end()) return found->second;
  const auto known = prompts();
  throw ConfigError(fmt::format("no prompt \"{}\"{}; known: {}", id, did_you_mean_clause(id, known),
                                fmt::join(known, ", ")));
}

std::vector<std::string> RubricLibrary::tasks() const { return keys(rubrics_); }

std::vector<std::string> RubricLibrary::dimensions(std::string_view task) const {
  const auto found = rubrics_.find(task);
  return found == rubrics_.end() ? std::vector<std::string>{} : keys(found->second);
}

std::vector<std::string> RubricLibrary::prompts() const { return keys(prompts_); }

}  // namespace assay
