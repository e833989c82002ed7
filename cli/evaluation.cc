#include "evaluation.h"

#include <fmt/core.h>

#include <algorithm>

#include "artefacts.h"
#include "assay/error.h"
#include "core/hash.h"
#include "evidence/evidence.h"
#include "judges/question_json.h"
#include "options_hypoeval.h"
#include "rubric/prices.h"
#include "text/token_estimate.h"

namespace assay::cli {
namespace {

// Who answers where nobody is asked.
class NoJudge : public Judge {
 public:
  std::string name() const override { return "none"; }
  std::string kind() const override { return "reference metric"; }
  std::string identity() const override { return "none"; }
  Capabilities capabilities() const override {
    Capabilities can;
    can.free = can.deterministic = true;
    return can;
  }
  void ask(Request, Done done) override { done({}); }
};

// The first field a dimension needs and the row lacks.
std::string missing_field(const std::vector<const Rubric*>& rubrics, const Sample& sample) {
  for (const Rubric* rubric : rubrics) {
    for (const Input& input : rubric->inputs) {
      if (input.required && field_text(sample, input.field).empty()) {
        return fmt::format(
            "field \"{}\" is missing; {} needs it (use --map {}=KEY if it has another name, or "
            "--on-error skip)",
            input.field, rubric->id, input.field);
      }
    }
  }
  return {};
}

std::string row_hash(const Sample& sample) {
  Hasher hasher;
  hasher.add(sample.id)
      .add(sample.group)
      .add(sample.system)
      .add(sample.fields.source)
      .add(sample.fields.output);
  for (const std::string& reference : sample.fields.references) hasher.add(reference);
  return hasher.add(sample.fields.context).add(sample.fields.history).hex();
}

// The most a call may cost: twice the estimate of its prompt, and every token its reply may have.
double price_bound(const TokenPrice& price, const Request& request) {
  std::int64_t tokens = 0;
  for (const Message& message : request.messages) tokens += 8 + 2 * estimate_tokens(message.text);
  const double input = std::max({price.input, price.cached, price.written});
  return (static_cast<double>(tokens) * input + request.sampling.max_tokens * price.output) / 1e6;
}

// A key must not reach another provider's server.
void refuse_mixed_servers(const EvalOptions& options) {
  std::set<std::string> providers;
  std::vector<std::string> names = options.judges_named;
  for (const std::string& role : options.roles) names.push_back(role.substr(role.find('=') + 1));
  for (const std::string& name : names) {
    for (const char* provider : {"openai", "anthropic"}) {
      if (name.starts_with(provider)) providers.insert(provider);
    }
  }
  if (providers.size() > 1 && !options.judges.base_urls.empty()) {
    throw ConfigError(
        "--base-url would send one provider's key to the other's server; set OPENAI_BASE_URL and "
        "ANTHROPIC_BASE_URL instead");
  }
}

}  // namespace

Evaluation::Evaluation(const EvalOptions& o)
    : options(o), library(RubricLibrary::load(o.rubrics, evidence_names())) {
  JudgeOptions judge_options = options.judges;
  judge_options.offline = options.dry_run;
  for (const std::string& name : options.judges_named) {
    owned.push_back(make_judge(name, judge_options));
    jury.push_back(owned.back().get());
  }
  if (!options.units_by.empty()) {
    const auto& names = options.judges_named;
    const auto found = std::find(names.begin(), names.end(), options.units_by);
    if (found == names.end())
      throw ConfigError(fmt::format("--units-by {}: it is not one of the judges given with --judge",
                                    options.units_by));
    units_by = static_cast<std::size_t>(found - names.begin());
  }
  refuse_mixed_servers(options);
  for (const std::string& role : options.roles) {
    const std::size_t equals = role.find('=');
    if (equals == std::string::npos)
      throw ConfigError(
          fmt::format("--role {}: write ROLE=JUDGE, as in generator=openai:MODEL", role));
    owned.push_back(make_judge(role.substr(equals + 1), judge_options));
    roles[role.substr(0, equals)] = owned.back().get();
  }
}

std::vector<std::string> Evaluation::dimensions() const {
  std::vector<std::string> all = options.dimensions;
  if (all.empty()) all = library.dimensions(options.task);
  if (all.empty()) library.get(options.task, "");  // an unknown task: says which are known
  for (const std::string& dimension : all)
    library.get(options.task, dimension);  // says which are known
  return all;
}

// A jury's units are made by one judge, so that verdicts line up.
JudgeRoles Evaluation::roles_for(Judge& judge) const {
  JudgeRoles all = roles;
  all["judge"] = &judge;
  if (jury.size() > 1) all.try_emplace("generator", jury[units_by]);
  return all;
}

Judge& Evaluation::nobody() {
  if (!nobody_) nobody_ = std::make_unique<NoJudge>();
  return *nobody_;
}

bool Evaluation::all_free() const {
  return std::all_of(owned.begin(), owned.end(),
                     [](const auto& judge) { return judge->capabilities().free; });
}

void check_input(Evaluation& evaluation, RowReader& reader) {
  std::vector<const Rubric*> rubrics;
  const auto needs_rubric = [](const std::string& method) {
    return method_info(method).arity != Arity::kMetric;
  };
  const auto& methods = evaluation.options.methods;
  const bool judged = std::any_of(methods.begin(), methods.end(), needs_rubric);
  for (const std::string& dimension : evaluation.dimensions())
    if (judged) rubrics.push_back(&evaluation.library.get(evaluation.options.task, dimension));
  BankWatch banks(evaluation.options.methods, evaluation.options.families.hypoeval,
                  evaluation.options.task, evaluation.dimensions());
  const bool skip = evaluation.options.on_error == "skip";
  while (const std::optional<Row> row = reader.next()) {
    if (const std::string problem = missing_field(rubrics, row->sample); !problem.empty()) {
      const std::string line = fmt::format("{}:{}: {}", reader.name(), row->line, problem);
      if (!skip) throw ConfigError(line);
      fmt::print(stderr, "assay: skipped {}\n", line);
      evaluation.left_out.insert(row->line);
      continue;
    }
    ++evaluation.rows;
    // Each hash holds those before it, so that a million rows need no more room than one.
    evaluation.rows_hash = Hasher().add(evaluation.rows_hash).add(row_hash(row->sample)).hex();
    banks.row(row->sample.id);
  }
  banks.warn();
  for (const BadRow& bad : reader.skipped()) fmt::print(stderr, "assay: skipped {}\n", bad.problem);
  if (const std::size_t skipped = reader.skipped_count() + evaluation.left_out.size();
      skipped > 0) {
    fmt::print(stderr, "assay: {} of {} rows skipped\n", skipped, skipped + evaluation.rows);
  }
  if (evaluation.rows == 0)
    throw ConfigError(fmt::format("{}: no row is left to judge", reader.name()));
  evaluation.labelled = labelled_rows(evaluation.options);
  reader.rewind();
}

void make_lanes(Evaluation& evaluation, const EngineOptions& engine, Store* store,
                Planner* planner) {
  const EvalOptions& options = evaluation.options;
  Hasher run;
  run.add(evaluation.rows_hash).add(static_cast<std::int64_t>(options.repeat));
  for (const std::string& method : options.methods) {
    const MethodInfo& info = method_info(method);
    for (const std::string& dimension : evaluation.dimensions()) {
      for (Judge* judge : info.arity == Arity::kMetric ? std::vector<Judge*>{&evaluation.nobody()}
                                                       : evaluation.jury) {
        Lane lane{method, dimension, evaluation.roles_for(*judge), nullptr, nullptr, {}};
        MethodContext context{evaluation.library,    options.task,     dimension,
                              judge->capabilities(), options.method(), std::nullopt};
        if (const auto preparation = make_preparation(method, context)) {
          check_needs(*preparation, judge->name(), judge->capabilities());
          context.artefact = artefact_for(*preparation, evaluation, lane, engine, store, planner);
          lane.seen.insert(context.artefact->seen.begin(), context.artefact->seen.end());
        }
        if (info.arity == Arity::kGroup)
          lane.group = make_group_method(method, context);
        else
          lane.row = make_method(method, context);
        check_needs(lane.any(), judge->name(), judge->capabilities());
        run.add(lane.any().settings());
        for (const auto& [role, who] : lane.judges) run.add(role).add(who->identity());
        evaluation.lanes.push_back(std::move(lane));
      }
    }
  }
  evaluation.run = run.hex().substr(0, 16);
}

EngineOptions engine_options(const Evaluation& evaluation) {
  const EvalOptions& options = evaluation.options;
  EngineOptions engine;
  engine.in_flight =
      options.judges.jobs > 0 ? options.judges.jobs : default_jobs(options.judges_named.front());
  if (evaluation.all_free()) engine.in_flight *= 4;  // keep every thread fed
  engine.window = std::max(64, 2 * engine.in_flight);
  engine.repair = evaluation.library.prompt("engine/repair").blocks.begin()->second;
  engine.max_calls = options.max_calls;
  engine.budget_usd = options.budget_usd;
  if (options.budget_usd >= 0) {
    const auto prices = std::make_shared<const PriceTable>(
        PriceTable::load(options.judges.prices));  // shared with the engine's copies of the options
    for (const auto& judge : evaluation.owned) {
      if (!judge->capabilities().free && !prices->find(judge->name())) {
        throw ConfigError(fmt::format(
            "--budget: no price is known for {}; add it to a file and name it with --prices",
            judge->name()));
      }
    }
    engine.price_bound = [prices](const Judge& judge, const Request& request) {
      return price_bound(*prices->find(judge.name()), request);
    };
  }
  engine.question_json = [](const Request& request) { return question_json(request); };
  if (options.deadline_s > 0) {
    engine.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::chrono::duration<double>(options.deadline_s));
  }
  return engine;
}

std::unique_ptr<Store> make_store(const Evaluation& evaluation) {
  const EvalOptions& options = evaluation.options;
  if (evaluation.all_free()) return nullptr;
  // A recording is a ledger of its own: replaying it must neither read nor fill another.
  const bool replay =
      std::any_of(options.judges_named.begin(), options.judges_named.end(),
                  [](const std::string& name) { return name.starts_with("replay:"); });
  if (options.store == "none" || replay) return memory_ledger(!options.no_cache);
  LedgerOptions ledger;
  ledger.path = options.store.empty() ? default_ledger_path() : options.store;
  ledger.read = !options.no_cache;
  return open_ledger(ledger);
}

}  // namespace assay::cli
