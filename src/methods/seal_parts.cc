// SEAL, line 1: what the texts are split into. Sentences come from our own splitter unless the
// judge is to split (as in the paper); facts come from the judge, one question per text (so that a
// source is split once for all its systems and for both dimensions that need it) or one for all
// texts of a row (as in the paper).

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "methods/compose.h"
#include "methods/failure.h"
#include "methods/seal.h"
#include "methods/seal_pieces.h"
#include "text/fence.h"
#include "text/sentences.h"

namespace assay {
namespace {

bool uses(const Rubric& rubric, std::string_view field) {
  const auto& compare = rubric.seal->compare;
  return std::find(compare.begin(), compare.end(), field) != compare.end();
}

// The text on one line: a numbered list has one entry a line, and no entry may look like two.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::replace(line.begin(), line.end(), '\r', ' ');
  return line;
}

std::vector<SealPiece> sentences_of(std::string_view text, const std::string& field,
                                    const char* prefix) {
  std::vector<SealPiece> sentences;
  for (const TextRange& range : split_sentences(text)) {
    sentences.push_back({fmt::format("{}{}", prefix, sentences.size() + 1),
                         one_line(text.substr(range.begin, range.end - range.begin)),
                         {field, range.begin, range.end},
                         false});
  }
  return sentences;
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.insert(word);
  return words;
}

// The sentence sharing most words with the fact: where a fact without a sentence number came from.
Span inferred_span(const std::string& fact, const std::vector<SealPiece>& sentences) {
  Span best;
  std::size_t most = 0;
  const std::set<std::string> words = words_of(fact);
  for (const SealPiece& sentence : sentences) {
    const std::set<std::string> other = words_of(sentence.text);
    const auto shared = static_cast<std::size_t>(std::count_if(
        words.begin(), words.end(), [&](const std::string& w) { return other.contains(w); }));
    if (shared > most || best.field.empty()) best = sentence.span, most = shared;
  }
  return best;
}

// A text that facts are asked of.
struct FactText {
  std::string field;
  const char* prefix;  // of its facts' ids
  std::string text;
};

std::vector<FactText> fact_texts(const Sample& sample, const Rubric& rubric,
                                 const SealOptions& options) {
  std::vector<FactText> texts{{"output", "s", sample.fields.output}};
  if (uses(rubric, "source") && !options.source_sentences && !sample.fields.source.empty()) {
    texts.push_back({"source", "c", sample.fields.source});
  }
  if (uses(rubric, "references")) {
    for (const std::string& reference : sample.fields.references) {
      texts.push_back({"references", "r", reference});
      if (!options.all_references) break;
    }
  }
  return texts;
}

// Where the judge's sentences stand in the output; nothing unless together they are the whole
// output.
std::optional<std::vector<SealPiece>> located(const std::vector<std::string>& sentences,
                                              const std::string& output) {
  std::vector<SealPiece> found;
  std::size_t at = 0;
  const auto only_space = [&](std::size_t from, std::size_t to) {
    return std::all_of(output.begin() + static_cast<std::ptrdiff_t>(from),
                       output.begin() + static_cast<std::ptrdiff_t>(to),
                       [](unsigned char c) { return std::isspace(c); });
  };
  for (const std::string& sentence : sentences) {
    const std::size_t begin = output.find(sentence, at);
    if (begin == std::string::npos || !only_space(at, begin)) return std::nullopt;
    at = begin + sentence.size();
    found.push_back(
        {fmt::format("s{}", found.size() + 1), one_line(sentence), {"output", begin, at}, false});
  }
  if (!only_space(at, output.size()) || found.empty()) return std::nullopt;
  return found;
}

}  // namespace

bool Seal::asks_for_parts() const {
  if (!options_.decompose) return false;
  switch (rubric_.seal->units) {
    case UnitKind::kWhole:
      return false;
    case UnitKind::kFacts:
      return !options_.lexical;
    default:
      return options_.judge_splits;
  }
}

Ask Seal::ask_parts(const Sample& sample) const {
  if (rubric_.seal->units != UnitKind::kFacts) {
    const Values values{{"output_text", fence("Text", sample.fields.output)}};
    return {{question("sentences", values, Lists{{"sentences"}}, "parts/sentences")}};
  }
  if (options_.joint_facts) {
    const Fields& fields = sample.fields;
    const std::string reference = fields.references.empty() ? ""
                                  : options_.all_references ? field_text(sample, "references")
                                                            : fields.references[0];
    std::vector<std::string> names{"output"};
    if (!fields.source.empty() && !options_.source_sentences) names.emplace_back("source");
    if (!reference.empty()) names.emplace_back("reference");
    const Values values{
        {"source_text",
         names.size() > 1 && names[1] == "source" ? fence("Source", fields.source) : ""},
        {"reference_text", reference.empty() ? "" : fence("Reference", reference)},
        {"output_text", fence("Output", fields.output)},
        {"ids", joined(names)}};
    return {{question("facts-joint", values, Lists{names}, "parts/facts")}};
  }
  Ask ask;
  for (const FactText& text : fact_texts(sample, rubric_, options_)) {
    // The same wording for every text: a source is then one question, whoever asks.
    const std::vector<SealPiece> sentences = sentences_of(text.text, text.field, "s");
    const Values values{{"text_name", "text"},
                        {"units", fence("Text", numbered(sentences))},
                        {"ids", joined(ids_of(sentences))}};
    ask.questions.push_back(
        question("facts", values, Lists{ids_of(sentences)}, "parts/facts/" + text.field));
  }
  return ask;
}

SealParts Seal::read_parts(const Sample& sample, const Round& round) const {
  if (rubric_.seal->units != UnitKind::kFacts) return read_sentences(sample, round[0]);
  Parts parts = options_.joint_facts ? read_joint_facts(sample, round[0])
                                     : read_separate_facts(sample, round);
  if (options_.source_sentences && uses(rubric_, "source")) {
    parts.source = sentences_of(sample.fields.source, "source", "c");
  }
  return parts;
}

SealParts Seal::own_parts(const Sample& sample) const {
  Parts parts;
  if (!options_.decompose || rubric_.seal->units == UnitKind::kWhole) {
    const std::string& output = sample.fields.output;
    parts.output.push_back({"output", one_line(output), {"output", 0, output.size()}, false});
    return parts;
  }
  parts.output = sentences_of(sample.fields.output, "output", "s");
  if (rubric_.seal->units == UnitKind::kFacts)
    parts.note = "sentences stand in for facts: this judge cannot extract them";
  if (options_.lexical && uses(rubric_, "source"))
    parts.source = sentences_of(sample.fields.source, "source", "c");
  return parts;
}

SealParts Seal::read_sentences(const Sample& sample, const Verdict& verdict) const {
  Parts parts;
  if (verdict.status == Status::kOk) {
    const auto& lists = *verdict.value.as<Named<std::vector<std::string>>>();
    if (auto sentences = located(lists.front().second, sample.fields.output)) {
      parts.output = std::move(*sentences);
      return parts;
    }
    parts = own_parts(sample);
    parts.note = "the judge's sentences are not the output's; split by our own splitter";
    return parts;
  }
  if (verdict.status == Status::kTransport) {
    parts.failure = unscored(rubric_.id, "parts/sentences", verdict);
    return parts;
  }
  parts = own_parts(sample);
  parts.note = "the judge did not split the output; split by our own splitter";
  return parts;
}

SealParts Seal::read_joint_facts(const Sample& sample, const Verdict& verdict) const {
  Parts parts;
  if (verdict.status != Status::kOk) {
    parts.failure = unscored(rubric_.id, "parts/facts", verdict);
    return parts;
  }
  const auto read = [&](const char* name, const char* prefix, const std::string& field,
                        const std::string& text) {
    std::vector<Part> facts;
    const auto* list = find(*verdict.value.as<Named<std::vector<std::string>>>(), name);
    if (list == nullptr) return facts;
    const std::vector<Part> sentences = sentences_of(text, field, "s");
    for (const std::string& fact : *list) {
      facts.push_back({fmt::format("{}{}", prefix, facts.size() + 1), one_line(fact),
                       inferred_span(fact, sentences), true});
    }
    return facts;
  };
  parts.output = read("output", "s", "output", sample.fields.output);
  parts.source = read("source", "c", "source", sample.fields.source);
  parts.reference = read("reference", "r", "references", field_text(sample, "references"));
  return parts;
}

SealParts Seal::read_separate_facts(const Sample& sample, const Round& round) const {
  Parts parts;
  const std::vector<FactText> texts = fact_texts(sample, rubric_, options_);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (round[i].status != Status::kOk) {
      parts.failure = unscored(rubric_.id, "parts/facts/" + texts[i].field, round[i]);
      return parts;
    }
    std::vector<Part>& facts = texts[i].field == "output"   ? parts.output
                               : texts[i].field == "source" ? parts.source
                                                            : parts.reference;
    const std::vector<Part> sentences = sentences_of(texts[i].text, texts[i].field, "s");
    for (const auto& [sentence_id, list] : *round[i].value.as<Named<std::vector<std::string>>>()) {
      const auto sentence = std::find_if(sentences.begin(), sentences.end(),
                                         [&](const Part& p) { return p.id == sentence_id; });
      for (const std::string& fact : list) {
        facts.push_back({fmt::format("{}{}", texts[i].prefix, facts.size() + 1), one_line(fact),
                         sentence->span, false});
      }
    }
  }
  return parts;
}

// Counts what the text was split into, never pairs; one sentence leaves coherence no pair.
bool Seal::judged_whole(const SealParts& parts) const {
  if (!options_.decompose || options_.lexical) return false;
  const UnitKind kind = rubric_.seal->units;
  if (kind == UnitKind::kWhole) return false;
  if (kind == UnitKind::kSentencePairs && parts.output.size() < 2) return true;
  return static_cast<int>(parts.output.size()) < threshold_ || parts.output.empty();
}

SealUnits Seal::units_of(const Sample& sample, const SealParts& parts) const {
  if (rubric_.seal->units != UnitKind::kSentencePairs || !options_.decompose) return parts.output;
  if (parts.output.size() < 2) {  // a lexical judge takes the whole text for its one unit
    const std::string& output = sample.fields.output;
    return {{"output", one_line(output), {"output", 0, output.size()}, false}};
  }
  Units pairs;
  for (std::size_t i = 0; i + 1 < parts.output.size(); ++i) {
    const Part& first = parts.output[i];
    const Part& second = parts.output[i + 1];
    pairs.push_back({first.id + "-" + second.id,
                     first.text + " " + second.text,
                     {"output", first.span.begin, second.span.end},
                     false});
  }
  return pairs;
}

}  // namespace assay
