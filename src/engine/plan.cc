#include "engine/plan.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "answer/parse.h"
#include "core/content_key.h"
#include "core/hash.h"
#include "engine/draws.h"
#include "text/token_estimate.h"

namespace assay {
namespace {

// What a chat format adds around a message.
constexpr std::int64_t kPerMessage = 4;

std::int64_t tokens_of(const Judge& judge, std::string_view text) {
  return judge.count_tokens(text).value_or(estimate_tokens(text));
}

struct PromptTokens {
  std::int64_t all = 0;
  std::int64_t fresh = 0;  // after what an earlier prompt to this judge began with
};

// Servers share what prompts begin with block by block; here a block is a paragraph, so that two
// questions about one article share the article even where different units follow it.
PromptTokens prompt_tokens(const Judge& judge, const Question& question, SeenHashes& beginnings) {
  PromptTokens tokens;
  const auto add = [&](std::int64_t count, bool fresh) {
    tokens.all += count;
    if (fresh) tokens.fresh += count;
  };
  std::uint64_t beginning = quick_hash(judge.identity());
  for (const Message& message : question.shared) {
    std::int64_t around = kPerMessage;
    for (std::size_t at = 0; at < message.text.size();) {
      const std::size_t end = std::min(message.text.find("\n\n", at), message.text.size() - 1) + 1;
      const std::string_view block = std::string_view(message.text).substr(at, end - at);
      beginning = beginning * 1099511628211ULL + quick_hash(block);
      add(tokens_of(judge, block) + std::exchange(around, 0), beginnings.insert(beginning));
      at = end;
    }
  }
  add(tokens_of(judge, question.tail), true);
  return tokens;
}

void add_to(Bounds& bounds, Leaning leaning, std::int64_t n) {
  (leaning == Leaning::kFew ? bounds.least : bounds.most) += n;
}

bool decides(const AnswerSpec& answer) {
  return std::holds_alternative<Lists>(answer) || std::holds_alternative<Choice>(answer);
}

}  // namespace

std::unique_ptr<Work> Planner::add(const MakeWork& make) {
  ++plan_.works;
  step_through(*make(), Leaning::kFew);
  std::unique_ptr<Work> work = make();
  step_through(*work, Leaning::kMany);
  return work;
}

Plan Planner::plan() const {
  Plan plan = plan_;
  for (StagePlan& stage : plan.stages) {
    for (Bounds* bounds :
         {&stage.calls, &stage.prompt_tokens, &stage.shared_tokens, &stage.reply_tokens})
      *bounds = bounds->ordered();
  }
  return plan;
}

void Planner::step_through(Work& work, Leaning leaning) {
  // A method that never ends on imagined answers is a bug, not a plan.
  constexpr std::size_t kMostRounds = 100'000;
  Transcript transcript;
  std::string decider;
  while (transcript.size() < kMostRounds) {
    const std::optional<Ask> ask = work.step(transcript);
    if (!ask) return;
    Round round;
    for (const Question& question : ask->questions)
      round.push_back(hear(work, question, leaning, decider));
    for (const Question& question : ask->questions) {
      if (decides(question.answer)) decider = question.stage;
    }
    transcript.push_back(std::move(round));
  }
  throw std::logic_error("a method did not come to an end in a plan");
}

Verdict Planner::hear(Work& work, const Question& question, Leaning leaning,
                      const std::string& decider) {
  Judge& judge = work.judge(question.role);
  Request request;
  request.messages = messages_of(question);
  request.answer = question.answer;
  request.sampling = question.sampling;
  request.draw = draw_of(question, work);
  request.key = content_key(judge.identity(), request);
  const std::uint64_t id = quick_hash(request.key);
  if (ledger_ != nullptr && !judge.capabilities().free) {
    if (const std::optional<Reply> reply = ledger_->find(request.key);
        reply && reply->status == Status::kOk) {
      Parsed parsed = parse_answer(question.answer, reply->text);
      if (parsed.ok) {
        if (known_.insert(id)) ++plan_.known;
        Verdict verdict;
        verdict.value = std::move(parsed.value);
        verdict.probs = reply->probs;
        verdict.notes = reply->notes;
        return verdict;
      }
    }
  }
  Seen& seen = leaning == Leaning::kFew ? few_ : many_;
  if (!judge.capabilities().free && seen.questions.insert(id)) {
    const PromptTokens tokens = prompt_tokens(judge, question, seen.beginnings);
    const ReplySize size = reply_size(question);
    StagePlan& plan = stage(question.stage, judge.name());
    add_to(plan.calls, leaning, 1);
    add_to(plan.prompt_tokens, leaning, tokens.all);
    add_to(plan.shared_tokens, leaning, tokens.fresh);
    add_to(plan.reply_tokens, leaning, leaning == Leaning::kFew ? size.least : size.most);
    if (plan.decided_by.empty()) plan.decided_by = decider;
  }
  return imagined(question, leaning);
}

StagePlan& Planner::stage(const std::string& name, const std::string& judge) {
  for (StagePlan& plan : plan_.stages) {
    if (plan.stage == name && plan.judge == judge) return plan;
  }
  StagePlan& plan = plan_.stages.emplace_back();
  plan.stage = name;
  plan.judge = judge;
  return plan;
}

}  // namespace assay
