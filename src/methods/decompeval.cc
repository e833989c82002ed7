// DecompEval (Ke et al., ACL 2023): evaluation as decomposed question answering.
// docs/methods/decompeval.md has what is reproduced and every point settled by us.
//
//   I_t = (instruction, inputs, (sq_1, a_1) .. (sq_t-1, a_t-1), sq_t)     one round per sentence
//   a_t = yes if P(yes | I_t) > P(no | I_t), else no                      equation 1
//   score = P(yes | I) / (P(yes | I) + P(no | I)),  I = (instruction, inputs, all sq with answers,
//   q)
//
// Each prompt begins with the bytes of the one before it, so a judge that keeps its prefix reads
// the text once. Example: two sentences, P(yes) 0.8 and 0.3, then 0.6 for the whole: the score is
// 0.6; the answers yes and no have done their work in the prompt and are evidence only. Tested in
// tests/methods/decompeval_test.cc.

#include "methods/decompeval.h"

#include <fmt/core.h>

#include "assay/error.h"
#include "methods/compose.h"
#include "methods/failure.h"
#include "methods/rounds.h"
#include "rubric/prompt_file.h"
#include "rubric/rubric_file.h"
#include "text/fence.h"
#include "text/sentences.h"
#include "text/utf8.h"

namespace assay {
namespace {

constexpr const char* kPrompt = "decompeval/question";

void add_note(std::string& note, const std::string& more) {
  if (more.empty()) return;
  if (!note.empty()) note += "; ";
  note += more;
}

}  // namespace

DecompEval::DecompEval(Rubric rubric, const Prompts& prompts, DecompEvalOptions options)
    : rubric_(std::move(rubric)), options_(std::move(options)), prompt_(prompts(kPrompt)) {
  const std::string name =
      fmt::format("the rubric {}/{} ({})", rubric_.task, rubric_.id, rubric_.origin);
  if (!rubric_.decomp)
    throw ConfigError(fmt::format("{} has no `decomp` part; decompeval needs one", name));
  const std::size_t wordings = 1 + rubric_.decomp->wordings.size();
  if (options_.wording < 1 || static_cast<std::size_t>(options_.wording) > wordings) {
    throw ConfigError(fmt::format("--wording {}: {} has {} wording{} of its question",
                                  options_.wording, name, wordings, wordings == 1 ? "" : "s"));
  }
  if (options_.probs.kind == ProbSource::Kind::kSingle) {
    throw ConfigError(
        "--probs none: decompeval scores by P(yes); use logprobs, or sample:20 for a judge without "
        "them");
  }
  const DecompPart& part = *rubric_.decomp;
  const auto other = static_cast<std::size_t>(options_.wording - 1);
  question_ = other == 0 ? part.question : part.wordings[other - 1].question;
  subquestion_ = other == 0 ? part.subquestion : part.wordings[other - 1].subquestion;
  settings_ = fmt::format("decompeval {} rubric {} {}", options_.describe(), rubric_hash(rubric_),
                          prompt_hash(prompt_));
}

Needs DecompEval::needs() const {
  Needs needs;
  needs.generation = true;  // it reads prompts; a judge that only measures texts does not
  needs.probabilities = options_.probs.kind == ProbSource::Kind::kLogprobs;
  return needs;
}

std::string DecompEvalOptions::describe() const {
  return fmt::format(
      "layout={} wording={} input-limit={} instruction={} subquestions={} question-first={} "
      "reference={} probs={}",
      layout, wording, input_limit, instruction, subquestions, question_first,
      all_references ? "all" : "first", probs.describe());
}

Step DecompEval::next(const Sample& sample, const Transcript& transcript) const {
  const std::vector<Text> texts = texts_of(sample);
  if (texts.empty()) return unscored(rubric_.id, "the output has no sentence to judge");
  const Documents documents = documents_of(sample, texts);
  if (!documents.failure.empty()) return unscored(rubric_.id, documents.failure);
  std::vector<Chain> chains;
  for (const Text& text : texts) chains.push_back({text, shown(documents, text), {}, {}});
  const std::size_t subquestions = options_.subquestions ? texts.front().sentences.size() : 0;
  Rounds rounds(transcript);
  for (std::size_t step = 0; step <= subquestions;
       ++step) {  // the last is the question about the whole
    const std::size_t asked = step < subquestions ? step : texts.front().sentences.size();
    if (rounds.done()) return ask(chains, asked);
    if (const auto failure = read(chains, asked, rounds.take()))
      return failed(*failure, documents.note);
  }
  return score(chains, documents.note);
}

std::vector<DecompEval::Text> DecompEval::texts_of(const Sample& sample) const {
  const std::string& output = sample.fields.output;
  std::vector<Sentence> sentences;
  for (const TextRange& range : split_sentences(output)) {
    sentences.push_back(
        {output.substr(range.begin, range.end - range.begin), {"output", range.begin, range.end}});
  }
  if (sentences.empty()) return {};
  if (rubric_.decomp->rule == "once")
    return {{{output, {"output", 0, output.size()}}, std::move(sentences)}};
  std::vector<Text> texts;
  for (const Sentence& sentence : sentences) texts.push_back({sentence, {sentence}});
  return texts;
}

// Step t asks about sentence t; the step after the last sentence about the whole.
Question DecompEval::question(const Chain& chain, std::size_t step) const {
  const bool whole = step == chain.text.sentences.size();
  const std::string n = whole ? "" : fmt::format("{}", step + 1);
  std::string asked = question_;
  if (!whole)
    asked = render(subquestion_,
                   {{"n", n}, {"sentence", fence("sentence", chain.text.sentences[step].text)}});
  const bool at_the_top = whole && options_.question_first;
  Question question = compose(prompt_, options_.layout,
                              {{"with_instruction", options_.instruction ? "yes" : ""},
                               {"first", options_.question_first ? question_ : ""},
                               {"texts", chain.shown},
                               {"answered", chain.answered},
                               {"n", n},
                               {"question", at_the_top ? "" : asked},
                               {"again", at_the_top ? "yes" : ""},
                               {"yes", rubric_.yes},
                               {"no", rubric_.no}},
                              YesNo{rubric_.yes, rubric_.no});
  question.stage = whole ? "question" : "subquestions";
  question.label = whole ? "whole" : fmt::format("s{}", step + 1);
  return question;
}

std::string DecompEval::label_of(std::size_t text, const std::string& question) const {
  return rubric_.decomp->rule == "once" ? question : fmt::format("t{}/{}", text + 1, question);
}

Ask DecompEval::ask(const std::vector<Chain>& chains, std::size_t step) const {
  Ask ask;
  for (std::size_t t = 0; t < chains.size(); ++t) {
    Question asked = question(chains[t], step);
    asked.label = label_of(t, asked.label);
    for (Question& draw : drawn(std::move(asked), options_.probs))
      ask.questions.push_back(std::move(draw));
  }
  return ask;
}

// Reads a round in the order `ask` asked it, and puts each answer into its chain's next prompt.
std::optional<DecompEval::Failure> DecompEval::read(std::vector<Chain>& chains, std::size_t step,
                                                    const Round& round) const {
  const std::size_t draws = round.size() / chains.size();
  for (std::size_t t = 0; t < chains.size(); ++t) {
    Chain& chain = chains[t];
    const Question asked = question(chain, step);
    TwoWay said = two_way(std::span(round).subspan(t * draws, draws), options_.probs, rubric_.yes,
                          rubric_.no);
    if (!said.p) return Failure{label_of(t, asked.label), std::move(said)};
    const std::size_t begin = asked.tail.find_first_not_of('\n');
    if (!chain.answered.empty()) chain.answered += "\n\n";
    chain.answered +=
        fmt::format("{} {}", begin == std::string::npos ? "" : asked.tail.substr(begin),
                    said.first ? rubric_.yes : rubric_.no);
    chain.answers.push_back({*said.p, said.first, std::move(said.note)});
  }
  return std::nullopt;
}

Score DecompEval::score(const std::vector<Chain>& chains, std::string note) const {
  const bool once = rubric_.decomp->rule == "once";
  std::vector<Evidence> nodes;
  for (std::size_t t = 0; t < chains.size(); ++t) {
    const Chain& chain = chains[t];
    std::vector<Evidence> children;
    for (std::size_t s = 0; s + 1 < chain.answers.size();
         ++s) {  // shown; the last child alone is the value
      const Answer& answer = chain.answers[s];
      Evidence sentence =
          leaf(fmt::format("s{}", s + 1), answer.yes ? 1 : 0, 0, chain.text.sentences[s].text);
      add_note(sentence.note, answer.note);
      sentence.p = answer.p;
      sentence.span = chain.text.sentences[s].span;
      children.push_back(std::move(sentence));
    }
    const Answer& whole = chain.answers.back();
    children.push_back(leaf("whole", whole.p, 1, whole.note));
    children.back().p = whole.p;
    Evidence text =
        node(once ? rubric_.id : fmt::format("t{}", t + 1), Op::kLast, std::move(children));
    text.span = chain.text.whole.span;
    if (!once) text.note = chain.text.whole.text;
    nodes.push_back(std::move(text));
  }
  Score score;
  score.evidence = once ? std::move(nodes.front())
                        : node(rubric_.id, rubric_.decomp->rule == "sum" ? Op::kSum : Op::kMean,
                               std::move(nodes));
  score.evidence.note = std::move(note);
  score.score = score.evidence.value;
  if (rubric_.decomp->rule == "sum") score.scale.reset();  // it grows with the number of sentences
  return score;
}

Score DecompEval::failed(const Failure& failure, std::string note) const {
  Score score = unscored(rubric_.id, fmt::format("{}: {}", failure.label, failure.said.problem));
  constexpr std::size_t kShown = 2000;
  Evidence child;
  child.label = failure.label;
  child.note = failure.said.raw.empty() ? failure.said.problem
                                        : "reply: " + ellipsize(failure.said.raw, kShown);
  score.evidence.op = Op::kMean;
  score.evidence.note = std::move(note);
  score.evidence.children.push_back(std::move(child));
  return score;
}

}  // namespace assay
