#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/rubric.h"
#include "rubric/problem.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"

namespace assay {

// The rubrics and prompts of a run: those built into the binary, with the user's own laid over
// them. Thread-safe once loaded, because const.
class RubricLibrary {
 public:
  // `path` may be empty (built in only), a folder of .yaml files (usually rubrics/ and prompts/),
  // or one such file. A rubric of the same task and dimension, or a prompt of the same id, takes
  // the place of the built-in one. `evidence`: names of the built-in evidence a rubric may use;
  // empty: not checked. Throws ConfigError with the first problem.
  static RubricLibrary load(const std::string& path, std::span<const std::string> evidence = {});

  // Throws ConfigError naming the known ones where there is none such.
  const Rubric& get(std::string_view task, std::string_view dimension) const;
  const Prompt& prompt(std::string_view id) const;
  // The rubric's file, byte for byte.
  const std::string& yaml(std::string_view task, std::string_view dimension) const;

  std::vector<std::string> tasks() const;
  std::vector<std::string> dimensions(std::string_view task) const;
  std::vector<std::string> prompts() const;

 private:
  friend struct RubricCheck check_rubrics(std::span<const std::string> paths,
                                          std::span<const std::string> evidence);
  struct Entry {
    Rubric rubric;
    std::string yaml;
  };
  // Everything built in, then everything at the paths; on a problem the entry is not to be used.
  void add(std::span<const std::string> paths, std::span<const std::string> evidence,
           Problems& problems, std::vector<std::string>& well);
  const Entry& entry(std::string_view task, std::string_view dimension) const;

  std::map<std::string, std::map<std::string, Entry, std::less<>>, std::less<>> rubrics_;
  std::map<std::string, Prompt, std::less<>> prompts_;
};

// What `assay rubric check` says of the files and folders given.
struct RubricCheck {
  std::vector<Problem> problems;
  std::vector<std::string> well;  // "FILE: summarization/coherence, version 1"
};
RubricCheck check_rubrics(std::span<const std::string> paths,
                          std::span<const std::string> evidence = {});

}  // namespace assay
