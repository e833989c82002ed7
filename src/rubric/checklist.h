#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/rubric.h"
#include "rubric/yaml.h"

namespace assay {

// One question of a checklist: yes means good. It keeps where it came from and, where it is not
// asked, why.
struct CheckQuestion {
  enum class Origin { kSeed, kDiversified, kElaborated };
  std::string id;
  std::string text;
  Origin origin = Origin::kSeed;
  std::string parent;   // the seed it was made from; empty for a seed
  std::string dropped;  // why it is not asked; empty: it is
  bool vouched =
      false;  // `yes_is: good`: a person says that a yes is good, whatever the words look like
  int line = 0;
};

struct CheckSub {
  std::string id;
  std::string name;
  std::vector<CheckQuestion> questions;
};

// A checklist: checklists/<task>/<dimension>.yaml, docs/formats/checklist.md.
struct Checklist {
  std::string task;
  std::string dimension;
  int version = 1;
  std::string language = "en";
  std::string made;           // by whom, from what; for people
  std::vector<Input> inputs;  // what the judge is shown; empty: the rubric's, without references
  std::vector<std::string> notes;  // what a person should know of how it was built
  std::string origin;              // "built in", or the file it was read from
  std::vector<CheckSub> subs;
};

std::string_view origin_name(CheckQuestion::Origin origin);

struct CheckCounts {
  int asked = 0;
  int seeds = 0;  // seeds, diversified and elaborated of those asked
  int diversified = 0;
  int elaborated = 0;
  int dropped = 0;
};
CheckCounts count_questions(const Checklist& checklist);

// A question's text in the form in which two are the same: small letters and digits, single spaces.
std::string same_text(std::string_view text);

// Reads a checklist from its YAML. Every problem is added with its line; the list is only meant to
// be used when there was none.
Checklist read_checklist(const YamlNode& root, Problems& problems);

// The same from text. On a problem it throws ConfigError: FILE:LINE: what is wrong and what to do.
Checklist parse_checklist(std::string_view text, const std::string& file);

// The file's bytes; parse_checklist gives the same list back.
std::string checklist_yaml(const Checklist& checklist);

// Over everything that can change a result; not over where it was read from.
std::string checklist_hash(const Checklist& checklist);

// The union of lists of one task and dimension: a question whose text is already there is left out,
// ids are given anew, origins are kept. Throws ConfigError where the lists are of different
// dimensions.
Checklist merge_checklists(std::span<const Checklist> lists);

// Ids anew, "SUB-1", "SUB-2", ... in order, and parents with them.
void renumber(Checklist& checklist);

// --- Where lists come from: checklist_library.cc ---

// Those built into the binary, by task and dimension.
std::vector<Checklist> shipped_checklists();
Checklist load_checklist(const std::string& path);  // throws ConfigError

// The list for a dimension: of the user's files (or folders of files) where there are any, else the
// built-in one. Throws ConfigError where none fits: a list for another dimension is never used in
// its place.
Checklist find_checklist(std::span<const std::string> paths, std::string_view task,
                         std::string_view dimension);

}  // namespace assay
