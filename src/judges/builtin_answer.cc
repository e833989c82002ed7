// From a Subject to a reply: which texts are needed, which words are the unit's, the mean of an
// aspect's evidence, and the reply in the form an answer of this shape has. Tested in
// tests/judges/builtin_test.cc.
#include "judges/builtin_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/evidence.h"
#include "evidence/nearest.h"
#include "text/utf8.h"

namespace assay {
namespace {

constexpr std::size_t kNoteColumns = 240;

Reply refused(std::string problem) {
  Reply reply;
  reply.status = Status::kRefused;
  reply.problem = std::move(problem);
  return reply;
}

struct Soft {
  double value = 0;
  std::string note;
  std::optional<std::uint32_t> nearest;
};

// The texts of one request, taken apart as far as its evidence reads them.
class Reading {
 public:
  Reading(const Subject& subject, const Analyse& analyse) : subject_(subject), analyse_(analyse) {
    const Fields& fields = subject.sample.fields;
    const unsigned reads = reads_of(subject);
    input_.output = keep(fields.output);
    if ((reads & kReadsSource) != 0 && !fields.source.empty()) input_.source = keep(fields.source);
    if ((reads & kReadsFact) != 0 && !is_no_fact(fields.context))
      input_.fact = keep(fields.context);
    if ((reads & kReadsHistory) != 0) {
      const std::string& history = fields.history.empty() ? fields.source : fields.history;
      if (!history.empty()) input_.history = keep(history);
    }
    if ((reads & kReadsReferences) != 0) {
      for (const std::string& reference : fields.references) {
        if (!reference.empty()) input_.references.push_back(keep(reference));
      }
    }
  }

  // The mean of the aspect's evidence for the unit; nothing where none applies.
  std::optional<Soft> soft(const Subject::Unit& unit, const Subject::Aspect& aspect) {
    input_.unit = words_of(unit);
    if (input_.unit.first == input_.unit.last) return Soft{0, "has no words", {}};
    Soft out;
    int n = 0;
    for (const std::string& name : aspect.evidence) {
      const auto result = measured(name);
      if (!result) continue;
      out.value += result->value;
      ++n;
      if (!result->note.empty()) out.note += (out.note.empty() ? "" : "; ") + result->note;
      if (!out.nearest) out.nearest = result->nearest;
    }
    if (n == 0) return std::nullopt;
    out.value /= n;
    out.note = ellipsize(out.note, kNoteColumns);
    return out;
  }

  // The source unit that holds the nearest source sentence, among the ids offered.
  std::string source_id(const Subject::Unit& unit, const Soft& soft,
                        const std::vector<std::string>& offered) {
    const auto is_offered = [&](const std::string& id) {
      return std::find(offered.begin(), offered.end(), id) != offered.end();
    };
    if (soft.nearest && input_.source != nullptr) {
      const std::size_t at = input_.source->sentences[*soft.nearest].begin;
      for (const Subject::Unit& source : subject_.sources) {
        const bool holds =
            source.span.field == "source" && source.span.begin <= at && at < source.span.end;
        if (holds && is_offered(source.id)) return source.id;
      }
    }
    return closest_source(unit, is_offered);
  }

 private:
  static unsigned reads_of(const Subject& subject) {
    unsigned reads = 0;
    for (const Subject::Aspect& aspect : subject.aspects) {
      for (const std::string& name : aspect.evidence) {
        if (const EvidenceKind* kind = find_evidence(name)) reads |= kind->reads;
      }
    }
    return reads;
  }

  const Analysis* keep(std::string_view text) {
    kept_.push_back(analyse_(text));
    return kept_.back().get();
  }

  // The unit's words within the output, or, where its wording is its own (a generated fact), by
  // themselves.
  WordRange words_of(const Subject::Unit& unit) {
    const std::string_view output = input_.output->text;
    const Span& span = unit.span;
    const bool inside = span.field == "output" && span.begin <= span.end &&
                        span.end <= output.size() &&
                        output.substr(span.begin, span.end - span.begin) == unit.text;
    if (!inside) return unit.text == output ? whole(*input_.output) : whole(*keep(unit.text));
    const auto& words = input_.output->words;
    const auto first = std::partition_point(words.begin(), words.end(),
                                            [&](const Word& w) { return w.begin < span.begin; });
    const auto last =
        std::partition_point(first, words.end(), [&](const Word& w) { return w.end <= span.end; });
    return {input_.output, static_cast<std::uint32_t>(first - words.begin()),
            static_cast<std::uint32_t>(last - words.begin())};
  }

  // Text-level evidence is measured once a request.
  std::optional<EvidenceResult> measured(const std::string& name) {
    const EvidenceKind* kind = find_evidence(name);
    if (kind == nullptr) return std::nullopt;
    if (!kind->text_level) return kind->measure(input_);
    for (const auto& [known, result] : text_level_) {
      if (known == kind) return result;
    }
    return text_level_.emplace_back(kind, kind->measure(input_)).second;
  }

  template <class IsOffered>
  std::string closest_source(const Subject::Unit& unit, const IsOffered& is_offered) {
    const auto stems = content_stems(words_of(unit).words());
    std::string best;
    std::size_t most = 0;
    for (const Subject::Unit& source : subject_.sources) {
      if (!is_offered(source.id)) continue;
      const std::size_t n = shared(stems, keep(source.text)->content);
      if (n > most) {
        most = n;
        best = source.id;
      }
    }
    return best;
  }

  const Subject& subject_;
  const Analyse& analyse_;
  EvidenceInput input_;
  std::vector<AnalysisPtr> kept_;
  std::vector<std::pair<const EvidenceKind*, std::optional<EvidenceResult>>> text_level_;
};

template <class T>
const T* by_id(const std::vector<T>& all, const std::string& id) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.id == id; });
  return it == all.end() ? nullptr : &*it;
}

// What an id of the answer asks about.
struct Asked {
  std::string id;
  const Subject::Unit* unit = nullptr;
  const Subject::Aspect* aspect = nullptr;
};

// Nothing where the ids are neither all units (of one aspect) nor all aspects (of one unit).
std::optional<std::vector<Asked>> asked_of(const Subject& subject,
                                           const std::vector<std::string>& ids) {
  const auto collect = [&](bool units) -> std::optional<std::vector<Asked>> {
    std::vector<Asked> out;
    for (const std::string& id : ids) {
      Asked asked{id, units ? by_id(subject.units, id) : subject.units.data(),
                  units ? subject.aspects.data() : by_id(subject.aspects, id)};
      if (asked.unit == nullptr || asked.aspect == nullptr) return std::nullopt;
      out.push_back(std::move(asked));
    }
    return out;
  };
  if (subject.aspects.size() == 1) {
    if (auto out = collect(true)) return out;
  }
  return subject.units.size() == 1 ? collect(false) : std::nullopt;
}

std::string unanswerable(const Subject::Aspect& aspect) {
  if (aspect.evidence.empty()) return fmt::format("no built-in evidence for \"{}\"", aspect.id);
  return fmt::format("the texts for \"{}\" are absent: {} cannot be measured", aspect.id,
                     fmt::join(aspect.evidence, ", "));
}

Reply start() {
  Reply reply;
  reply.usage.calls = 1;
  return reply;
}

void note(Reply& reply, const std::string& id, Soft&& soft) {
  reply.probs.push_back({id, soft.value});
  if (!soft.note.empty()) reply.notes.emplace_back(id, std::move(soft.note));
}

Reply answer(const YesNo& words, const Subject& subject, Reading& reading) {
  if (subject.units.size() != 1 || subject.aspects.size() != 1) {
    return refused("a yes/no question to the built-in judge is about one unit and one aspect");
  }
  const Subject::Aspect& aspect = subject.aspects[0];
  auto soft = reading.soft(subject.units[0], aspect);
  if (!soft) return refused(unanswerable(aspect));
  Reply reply = start();
  reply.text = soft->value >= aspect.yes_at ? words.yes : words.no;
  reply.probs.push_back({words.yes, soft->value});
  reply.probs.push_back({words.no, 1 - soft->value});
  if (!soft->note.empty()) reply.notes.emplace_back(words.yes, std::move(soft->note));
  return reply;
}

// An id that no evidence can answer for this row has a note and no probability; its "no" only keeps
// the shape.
Reply answer(const Keyed& keyed, const Subject& subject, Reading& reading) {
  const auto asked = asked_of(subject, keyed.ids);
  if (!asked || asked->empty()) {
    return refused("the ids asked for are neither units of one aspect nor aspects of one unit");
  }
  Reply reply = start();
  nlohmann::ordered_json text = nlohmann::ordered_json::object();
  for (const Asked& one : *asked) {
    auto soft = reading.soft(*one.unit, *one.aspect);
    text[one.id] = soft && soft->value >= one.aspect->yes_at ? "yes" : "no";
    if (soft) {
      note(reply, one.id, std::move(*soft));
    } else {
      reply.notes.emplace_back(one.id, "unknown: " + unanswerable(*one.aspect));
    }
  }
  if (reply.probs.empty()) return refused(unanswerable(*asked->front().aspect));
  reply.text = text.dump();
  return reply;
}

Reply answer(const Links& links, const Subject& subject, Reading& reading) {
  const auto asked = asked_of(subject, links.from);
  if (!asked || subject.aspects.size() != 1)
    return refused("links are asked for the units of one aspect");
  Reply reply = start();
  nlohmann::ordered_json text = nlohmann::ordered_json::object();
  for (const Asked& one : *asked) {
    auto soft = reading.soft(*one.unit, *one.aspect);
    if (!soft) return refused(unanswerable(*one.aspect));
    auto& linked = text[one.id] = nlohmann::ordered_json::array();
    if (soft->value >= one.aspect->yes_at) {
      const std::string id = reading.source_id(*one.unit, *soft, links.to);
      if (!id.empty()) linked.push_back(id);
    }
    note(reply, one.id, std::move(*soft));
  }
  reply.text = text.dump();
  return reply;
}

template <class Other>
Reply answer(const Other&, const Subject&, Reading&) {
  return refused(
      "the built-in judge answers yes/no questions only: it cannot write, weigh or grade");
}

}  // namespace

Reply builtin_answer(const Request& request, const Analyse& analyse) {
  if (request.subject == nullptr)
    return refused("the built-in judge needs the texts of the question");
  Reading reading(*request.subject, analyse);
  return std::visit([&](const auto& spec) { return answer(spec, *request.subject, reading); },
                    request.answer);
}

}  // namespace assay
