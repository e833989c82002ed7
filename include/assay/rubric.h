#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/method.h"
#include "assay/question.h"

namespace assay {

// One sub-dimension of SEAL: a question about a unit that a yes answers well.
struct SubDimension {
  std::string id;
  std::string name;
  std::string question;
  double weight = 1;  // used by --weights fixed; normalised over the dimension
  std::vector<std::string>
      evidence;         // built-in evidence that answers it; empty: unknown to builtin
  double yes_at = 0.5;  // built-in soft value from which the verdict is yes
};

enum class UnitKind { kWhole, kSentences, kSentencePairs, kFacts };

struct SealPart {
  UnitKind units = UnitKind::kWhole;
  bool supported_by_source = false;  // asked as links to source facts (consistency)
  std::vector<std::string>
      compare;        // fields whose facts stand beside the units: source, references
  int threshold = 0;  // fewer sentences or facts: judged whole; 0: never
  std::vector<SubDimension> subs;
};

struct Input {
  std::string field;  // source, output, references, context, history
  std::string shown;  // the name a judge reads: "Article"
  bool required = true;
};

// The same question in other words (DecompEval's study of wordings).
struct Wording {
  std::string question;
  std::string subquestion;
};

struct DecompPart {
  std::string question;           // about the whole text
  std::string subquestion;        // about one sentence: uses {{sentence}}, may use {{n}}
  std::string rule = "once";      // once | mean | sum
  std::vector<Input> inputs;      // in order, under DecompEval's own names ("claim")
  std::vector<Wording> wordings;  // other wordings of question and subquestion, from 2 on
};

struct Anchor {
  double at = 0;
  std::string text;
};

// One dimension of one task: rubrics/<task>/<dimension>.yaml. It serves every method; a method
// names the parts it needs and is refused up front without them.
struct Rubric {
  std::string task;
  std::string id;  // the dimension
  int version = 1;
  std::string origin;  // "built in" or the file it was read from
  std::string language = "en";
  std::string introduction;  // what the task is
  std::string definition;    // what the dimension means
  Scale scale{1, 5};
  double step = 1;
  std::vector<Anchor> anchors;
  std::vector<std::string> steps;
  std::vector<Input> inputs;
  std::string yes = "yes";
  std::string no = "no";
  std::optional<SealPart> seal;
  std::optional<DecompPart> decomp;
};

// A prompt: prompts/<method>/<question>.yaml. Blocks are put in the order of the layout; a block is
// a template with {{name}} and {{#name}}shown when not empty{{/name}}.
struct Prompt {
  struct Turn {
    Role role = Role::kUser;
    // layout -> block names. In the last user turn those after the mark "|" are the tail.
    std::map<std::string, std::vector<std::string>> blocks;
  };
  std::string id;
  int version = 1;
  std::string answer;  // name of the shape: yes-no, keyed, ...
  std::vector<Turn> turns;
  std::map<std::string, std::string> blocks;
};

}  // namespace assay
