// Which checklist serves a dimension: the user's, or the one built in. Nothing is swapped: where
// the user names files and none of them is for the dimension, that is an error, not a reason to
// take the built-in list.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <optional>

#include "assay/error.h"
#include "rubric/checklist.h"
#include "rubric/embedded.h"
#include "rubric/files.h"

namespace assay {
namespace {

constexpr std::string_view kFolder = "checklists/";

std::string name_of(const Checklist& list) { return list.task + "/" + list.dimension; }

std::vector<Checklist> load_all(std::span<const std::string> paths) {
  Problems problems;
  std::vector<Checklist> lists;
  for (const std::string& path : paths) {
    const auto files = yaml_files(path, problems);
    problems.throw_first();
    for (const std::string& file : files) lists.push_back(load_checklist(file));
  }
  return lists;
}

std::string names_of(const std::vector<Checklist>& lists) {
  std::vector<std::string> names;
  for (const Checklist& list : lists) names.push_back(name_of(list));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<Checklist> shipped_checklists() {
  std::vector<Checklist> lists;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kFolder)) continue;
    lists.push_back(parse_checklist(file.text, std::string(file.path)));
    lists.back().origin = "built in";
  }
  return lists;
}

Checklist load_checklist(const std::string& path) {
  Problems problems;
  const std::optional<std::string> text = read_text_file(path, problems);
  problems.throw_first();
  return parse_checklist(*text, path);
}

Checklist find_checklist(std::span<const std::string> paths, std::string_view task,
                         std::string_view dimension) {
  const bool own = !paths.empty();
  const std::vector<Checklist> lists = own ? load_all(paths) : shipped_checklists();
  const Checklist* found = nullptr;
  for (const Checklist& list : lists) {
    if (list.task != task || list.dimension != dimension) continue;
    if (found) {
      throw ConfigError(
          fmt::format("{} and {} are both for {}/{}; give one, or put them together with `assay "
                      "checklist merge`",
                      found->origin, list.origin, task, dimension));
    }
    found = &list;
  }
  if (found) return *found;
  if (own) {
    throw ConfigError(
        fmt::format("no --checklist is for {}/{}; the files given are for {}: give one for it, or "
                    "leave the dimension out",
                    task, dimension, names_of(lists)));
  }
  std::vector<Checklist> near = lists;
  std::erase_if(near, [&](const Checklist& list) { return list.task != task; });
  throw ConfigError(fmt::format(
      "no checklist is built in for {}/{} ({}); grow one from your own seeds with `assay "
      "checklist build`, or write one and give it as --checklist",
      task, dimension,
      near.empty() ? "`assay checklist show` lists all" : "there are " + names_of(near)));
}

}  // namespace assay
