// A checklist as YAML, and lists put together. Plain scalars where YAML reads them back as they
// are, double quotes elsewhere, one question per four lines: a file made for people's eyes and for
// `diff`.
#include <fmt/core.h>

#include <map>
#include <set>

#include "assay/error.h"
#include "rubric/checklist.h"

namespace assay {
namespace {

bool is_plain(std::string_view text) {
  if (text.empty() || text.back() == ' ' || text.back() == ':') return false;
  const char first = text.front();
  if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'))) return false;
  for (const char* word : {"true", "false", "null", "yes", "no", "on", "off"}) {
    if (same_text(text) == word) return false;
  }
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string scalar(std::string_view text) {
  return is_plain(text) ? std::string(text) : quoted(text);
}

std::string question_yaml(const CheckQuestion& question) {
  std::string out =
      fmt::format("      - id: {}\n        text: {}\n        origin: {}\n", scalar(question.id),
                  scalar(question.text), origin_name(question.origin));
  if (!question.parent.empty()) out += fmt::format("        parent: {}\n", scalar(question.parent));
  if (question.vouched) out += "        yes_is: good\n";
  if (!question.dropped.empty())
    out += fmt::format("        dropped: {}\n", scalar(question.dropped));
  return out;
}

CheckSub& sub_of(Checklist& list, const CheckSub& like) {
  for (CheckSub& sub : list.subs) {
    if (sub.id == like.id) return sub;
  }
  list.subs.push_back({like.id, like.name, {}});
  return list.subs.back();
}

// Adds the questions of `list` that `all` does not have. A question asked in one list and dropped
// in another is asked.
void add_list(Checklist& all, const Checklist& list,
              std::map<std::string, std::string>& ids_by_text, int number) {
  std::map<std::string, std::string> new_ids;
  const auto unique = [&](const std::string& id) { return fmt::format("{}.{}", number, id); };
  for (const CheckSub& sub : list.subs) {
    for (const CheckQuestion& question : sub.questions) {
      const auto [known, fresh] =
          ids_by_text.emplace(same_text(question.text), unique(question.id));
      new_ids[question.id] = known->second;
    }
  }
  for (const CheckSub& sub : list.subs) {
    for (const CheckQuestion& question : sub.questions) {
      const std::string& id = new_ids.at(question.id);
      if (id == unique(question.id)) {
        CheckQuestion added = question;
        added.id = id;
        if (!added.parent.empty()) added.parent = new_ids.at(added.parent);
        sub_of(all, sub).questions.push_back(std::move(added));
        continue;
      }
      for (CheckSub& other : all.subs) {
        for (CheckQuestion& same : other.questions) {
          if (same.id == id && question.dropped.empty()) same.dropped.clear();
        }
      }
    }
  }
}

// A seed of one list may be a grown question of another that came first: its children then hang on
// that one's seed.
void lift_parents(Checklist& list) {
  std::map<std::string, const CheckQuestion*> by_id;
  for (const CheckSub& sub : list.subs) {
    for (const CheckQuestion& question : sub.questions) by_id[question.id] = &question;
  }
  for (CheckSub& sub : list.subs) {
    for (CheckQuestion& question : sub.questions) {
      if (question.parent.empty()) continue;
      for (const CheckQuestion* parent = by_id.at(question.parent);
           !parent->parent.empty() && parent != &question; parent = by_id.at(parent->parent)) {
        question.parent = parent->parent;
      }
      if (question.parent != question.id) continue;
      question.origin = CheckQuestion::Origin::kSeed;  // a dropped copy of its own seed
      question.parent.clear();
    }
  }
}

}  // namespace

std::string checklist_yaml(const Checklist& list) {
  std::string out = fmt::format("task: {}\ndimension: {}\nversion: {}\n", scalar(list.task),
                                scalar(list.dimension), list.version);
  if (list.language != "en") out += fmt::format("language: {}\n", scalar(list.language));
  if (!list.made.empty()) out += fmt::format("made: {}\n", scalar(list.made));
  if (!list.inputs.empty()) out += "inputs:\n";
  for (const Input& input : list.inputs)
    out += fmt::format("  {}: {}\n", input.field, scalar(input.shown));
  if (!list.notes.empty()) out += "notes:\n";
  for (const std::string& note : list.notes) out += fmt::format("  - {}\n", scalar(note));
  out += "sub_dimensions:\n";
  for (const CheckSub& sub : list.subs) {
    out +=
        fmt::format("  - id: {}\n    name: {}\n    questions:\n", scalar(sub.id), scalar(sub.name));
    for (const CheckQuestion& question : sub.questions) out += question_yaml(question);
  }
  return out;
}

void renumber(Checklist& checklist) {
  std::map<std::string, std::string> ids;
  for (CheckSub& sub : checklist.subs) {
    for (std::size_t i = 0; i < sub.questions.size(); ++i) {
      std::string id = fmt::format("{}-{}", sub.id, i + 1);
      ids[sub.questions[i].id] = id;
      sub.questions[i].id = std::move(id);
    }
  }
  for (CheckSub& sub : checklist.subs) {
    for (CheckQuestion& question : sub.questions) {
      if (!question.parent.empty()) question.parent = ids.at(question.parent);
    }
  }
}

Checklist merge_checklists(std::span<const Checklist> lists) {
  if (lists.empty()) throw ConfigError("checklist merge needs at least one list");
  Checklist all = lists.front();
  all.subs.clear();
  all.made.clear();
  std::map<std::string, std::string> ids_by_text;
  std::set<std::string> notes;
  all.notes.clear();
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const Checklist& list = lists[i];
    if (list.task != all.task || list.dimension != all.dimension || list.language != all.language) {
      throw ConfigError(fmt::format(
          "{} is for {}/{} ({}) and {} for {}/{} ({}); only lists of one dimension can be merged",
          lists[0].origin, all.task, all.dimension, all.language, list.origin, list.task,
          list.dimension, list.language));
    }
    all.version = std::max(all.version, list.version);
    all.made += fmt::format("{}{}", i == 0 ? "merged from " : ", ", list.origin);
    for (const std::string& note : list.notes) {
      if (notes.insert(note).second) all.notes.push_back(note);
    }
    add_list(all, list, ids_by_text, static_cast<int>(i));
  }
  lift_parents(all);
  renumber(all);
  return all;
}

}  // namespace assay
