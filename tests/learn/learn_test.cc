// `assay learn` end to end: the real binary against a real server process that answers from a list.
// The scorer says one number per row, half of them a point off, so that wrong rows gather and new
// hypotheses are made and refined.

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "fake_server/process.h"
#include "meta/run_assay.h"
#include "rubric/bank.h"

namespace assay::test {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

double label_of(int row) { return 1 + row % 13 / 3.0; }

int score_of(int row) {
  return std::clamp(static_cast<int>(label_of(row) + 0.5) + (row % 2 == 0 ? 1 : -1), 1, 5);
}

std::string rows_text(int rows, int labelled) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    Json row = {{"id", fmt::format("r{}", i)},
                {"source", "Ann won."},
                {"output", fmt::format("Case {:03} is told.", i)}};
    if (i < labelled) row["human"] = {{"coherence", label_of(i)}};
    text += row.dump() + "\n";
  }
  return text;
}

// "needle<TAB>reply": the first needle found in a prompt gives the reply
// (tests/fake_server/options.h).
std::string answers_text(int rows) {
  const auto list = [](const char* name, int n) {
    Json texts = Json::array();
    for (int i = 0; i < n; ++i)
      texts.push_back(fmt::format("{} trait {}: 1 is bad, 5 is good.", name, i));
    return Json{{"hypotheses", texts}}.dump();
  };
  std::string text = "Sum up what the text\tReaders look for order.\n";
  text += "Propose 5 hypotheses\t" + list("First", 5) + "\n";
  text += "Propose 10 hypotheses\t" + list("Read", 10) + "\n";
  text += "Improve each of the 5\t" + list("Better", 5) + "\n";
  text += "Does the second hypothesis\tyes\n";
  for (int i = 0; i < rows; ++i)
    text +=
        fmt::format("Case {:03} is told.\tThe trait is order.\\nFinal score: {}\n", i, score_of(i));
  return text;
}

class Learn : public testing::Test {
 protected:
  Learn()
      : rows_(scratch_.file("rows.jsonl", rows_text(40, 30))),
        paper_(scratch_.file("paper.md", "# Order\n\nReaders want order.\n")) {}

  std::unique_ptr<fake::ServerProcess> server(Words more = {}) {
    Words words = {"--mode",  "fixed",     "--reply",
                   "no idea", "--answers", scratch_.file("answers.tsv", answers_text(40))};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<fake::ServerProcess>(words);
  }

  Words learn_words(const std::string& url, const std::string& bank, Words more = {}) const {
    Words words = {"learn",           rows_,        "-d", "coherence", "--judge",
                   "openai:scripted", "--base-url", url,  "-o",        scratch_.path(bank),
                   "--literature",    paper_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Outcome refused(Words more, const std::string& says) {
    Words words = {"learn"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_assay(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
    return outcome;
  }

  Scratch scratch_;
  std::string rows_;
  std::string paper_;
};

std::int64_t lines_of(const std::string& path) {
  const std::string text = slurp(path);
  return std::count(text.begin(), text.end(), '\n');
}

TEST_F(Learn, LearnsABankThatScoresRows) {
  const auto process = server();
  const Outcome learned = run_assay(learn_words(
      process->url(), "bank.yaml", {"--store", "none", "--role", "generator=openai:writer"}));
  ASSERT_EQ(learned.code, 0) << learned.err;
  EXPECT_NE(learned.out.find("First trait"), std::string::npos) << learned.out;
  EXPECT_NE(learned.err.find("assay: learning 3 banks asks"), std::string::npos) << learned.err;
  const Bank bank = load_bank(scratch_.path("bank.yaml"));
  ASSERT_EQ(bank.seeds.size(), 3U);
  EXPECT_EQ(bank.records.size(), 3U);
  EXPECT_EQ(*find(bank.judges, "refiner"), "openai:writer");
  EXPECT_EQ(*find(bank.judges, "judge"), "openai:scripted");
  EXPECT_EQ(bank.literature, Words{"paper.md"});
  for (const LearnedBank& one : bank.seeds) {
    EXPECT_EQ(one.seen.size(), 30U);
    EXPECT_EQ(one.hypotheses.size(), 20U);  // 5 first, 10 read, 5 better
    EXPECT_EQ(std::count_if(one.hypotheses.begin(), one.hypotheses.end(),
                            [](const auto& h) { return h.selected; }),
              5);
  }
  EXPECT_NE(bank.records[0].find("Final score: "), std::string::npos);
  EXPECT_NE(bank.records[0].find("prompt: hypoeval/refine"), std::string::npos);

  const std::string out = scratch_.path("out.jsonl");
  const Words eval = {"eval",       rows_,
                      "-d",         "coherence",
                      "--method",   "hypoeval",
                      "--judge",    "openai:scripted",
                      "--base-url", process->url(),
                      "--store",    "none",
                      "-o",         out,
                      "--bank"};
  Words words = eval;
  words.push_back(scratch_.path("bank.yaml"));
  const Outcome scored = run_assay(words);
  ASSERT_EQ(scored.code, 0) << scored.err;
  EXPECT_NE(scored.err.find("warning: 30 of the rows were learned from"), std::string::npos)
      << scored.err;
  std::istringstream lines(slurp(out));
  int row = 0;
  for (std::string line; std::getline(lines, line); ++row) {
    const Json result = Json::parse(line);
    EXPECT_DOUBLE_EQ(result["score"].get<double>(), score_of(row)) << line;
    EXPECT_EQ(result["scale"], (Json{1, 5}));
    EXPECT_EQ(result["evidence"]["children"].size(), 3U);
    EXPECT_EQ(
        result["evidence"].value("note", "").find("learned from this row") != std::string::npos,
        row < 30)
        << line;
  }
  EXPECT_EQ(row, 40);

  words[3] = "fluency";
  const Outcome other = run_assay(words);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("it is for summarization/coherence, which is not judged here"),
            std::string::npos)
      << other.err;
}

// Starts the binary, kills it after a while, and says whether it was killed before its end.
bool killed_after(const Words& words, std::chrono::milliseconds patience) {
  const pid_t pid = fork();
  if (pid == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    Words all = words;
    all.insert(all.begin(), ASSAY_BINARY);
    std::vector<char*> argv;
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::this_thread::sleep_for(patience);
  kill(pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status);
}

TEST_F(Learn, KilledAndResumedItEndsInTheSameBankAndPaysForNothingTwice) {
  const std::string log = scratch_.path("log");
  const auto process = server({"--latency-ms", "3", "--log", log});
  const Words seed = {"--seeds", "42", "-q", "-j", "4"};
  Words whole = seed;
  whole.insert(whole.end(), {"--store", scratch_.path("whole.db")});
  ASSERT_EQ(run_assay(learn_words(process->url(), "whole.yaml", whole)).code, 0);
  const std::int64_t once = lines_of(log);

  Words parts = seed;
  parts.insert(parts.end(), {"--store", scratch_.path("parts.db")});
  int kills = 0;
  for (int i = 0; i < 5; ++i)
    kills += killed_after(learn_words(process->url(), "parts.yaml", parts),
                          std::chrono::milliseconds(150))
                 ? 1
                 : 0;
  EXPECT_GE(kills, 1);
  EXPECT_EQ(slurp(scratch_.path("parts.yaml")).empty(), kills == 5);
  Words limited = parts;
  limited.insert(limited.end(), {"--max-calls", "20"});
  const Outcome stopped = run_assay(learn_words(process->url(), "parts.yaml", limited));
  EXPECT_TRUE(stopped.code == 4 || stopped.code == 0) << stopped.err;
  ASSERT_EQ(run_assay(learn_words(process->url(), "parts.yaml", parts)).code, 0);
  EXPECT_EQ(slurp(scratch_.path("parts.yaml")), slurp(scratch_.path("whole.yaml")));
  // A kill may lose the answers that were on their way: at most -j of them each time.
  EXPECT_LE(lines_of(log) - once, once + 4 * kills);
  // What the ledger knows is not asked again.
  const std::int64_t before = lines_of(log);
  ASSERT_EQ(run_assay(learn_words(process->url(), "again.yaml", parts)).code, 0);
  EXPECT_EQ(lines_of(log), before);
  EXPECT_EQ(slurp(scratch_.path("again.yaml")), slurp(scratch_.path("whole.yaml")));
}

TEST_F(Learn, AnswersThatStayAwayStopItResumably) {
  const Outcome outcome =
      run_assay(learn_words("http://127.0.0.1:9/v1", "bank.yaml",
                            {"--store", "none", "--retries", "0", "--seeds", "42"}));
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(
      outcome.err.find("seed 42: nothing was learned: a summary of the literature: no answer came"),
      std::string::npos)
      << outcome.err;
  EXPECT_TRUE(slurp(scratch_.path("bank.yaml")).empty());
}

TEST_F(Learn, TheDryRunSendsNothingAndItsBoundsHold) {
  const std::string log = scratch_.path("log");
  const auto process = server({"--log", log});
  const Outcome dry = run_assay(learn_words(process->url(), "bank.yaml",
                                            {"--dry-run", "--format", "json", "--store", "none"}));
  ASSERT_EQ(dry.code, 0) << dry.err;
  EXPECT_EQ(lines_of(log), 0);
  std::int64_t least = 0;
  std::int64_t most = 0;
  const Json plan = Json::parse(dry.out);
  for (const Json& stage : plan["stages"]) {
    least += stage["calls"][0].get<std::int64_t>();
    most += stage["calls"][1].get<std::int64_t>();
  }
  EXPECT_EQ(least, 196);  // of one seed, since seeds share equal questions
  EXPECT_EQ(most, 1 + 3 * 916);
  EXPECT_TRUE(slurp(scratch_.path("bank.yaml")).empty());
  ASSERT_EQ(run_assay(learn_words(process->url(), "bank.yaml", {"-q", "--store", "none"})).code, 0);
  EXPECT_LE(lines_of(log), most);
  EXPECT_GE(lines_of(log), least);
  const Outcome table =
      run_assay(learn_words(process->url(), "bank.yaml", {"--dry-run", "--store", "none"}));
  EXPECT_NE(table.out.find("refinement"), std::string::npos) << table.out;
}

TEST_F(Learn, WhatCannotWorkIsRefusedInOneLine) {
  const Words judge = {"--judge", "openai:scripted",          "--base-url", "http://127.0.0.1:9/v1",
                       "-o",      scratch_.path("bank.yaml"), "-d",         "coherence"};
  const auto with = [&](Words first, Words more = {}) {
    first.insert(first.end(), judge.begin(), judge.end());
    first.insert(first.end(), more.begin(), more.end());
    return first;
  };
  const Outcome builtin = refused({rows_, "-d", "coherence", "--judge", "builtin", "-o", "x.yaml"},
                                  "learn: builtin cannot write hypotheses; name a language model");
  EXPECT_EQ(std::count(builtin.err.begin(), builtin.err.end(), '\n'), 1) << builtin.err;
  refused(with({rows_}, {"--role", "generator=builtin"}), "builtin cannot write hypotheses");
  refused(with({rows_}, {"--role", "explainer=openai:x"}), "the roles generator and refiner");
  refused(with({scratch_.file("three.jsonl", rows_text(3, 3))}),
          "three.jsonl: 3 of 3 rows have a label (human.coherence); 30 are needed");
  std::string constant = rows_text(30, 0);
  for (std::size_t at = 0; (at = constant.find("}\n", at)) != std::string::npos; at += 2)
    constant.insert(at, ",\"human\":{\"coherence\":4}"), at += 24;
  refused(with({scratch_.file("constant.jsonl", constant)}), "all 30 labels for coherence are 4");
  std::string outside = rows_text(30, 30);
  outside.replace(outside.find("\"coherence\":1.0"), 15, "\"coherence\":9.0");
  refused(with({scratch_.file("outside.jsonl", outside)}),
          "outside.jsonl:1: human.coherence is 9, outside the rubric's scale 1 to 5");
  refused(with({rows_}, {"--from", "literature"}), "give the literature with --literature FILE");
  refused(with({rows_}, {"--literature", scratch_.file("empty.txt", " \n")}),
          "empty.txt: the file is empty");
  refused(with({rows_}, {"--literature", scratch_.path("none.md")}), "none.md: cannot be read");
  refused(with({rows_}, {"--seeds", "1,1"}), "a seed is given twice");
  refused(with({rows_}, {"--labels", "4"}), "--labels 4: must be more than --initial 5");
  refused(with({}), "give a file of labelled rows");
  refused({rows_, "-d", "coherence", "--judge", "openai:x"}, "-o bank.yaml");
  refused({rows_, "-d", "coherence", "--judge", "openai:x", "--base-url", "http://127.0.0.1:9/v1",
           "-o", "/nowhere/bank.yaml"},
          "/nowhere/bank.yaml: cannot be written here");
}

// PDFs go through a program; here a script stands for it.
TEST_F(Learn, PdfsAreReadByPdftotextWhereItIsInstalled) {
  const auto process = server();
  const std::string pdf = scratch_.file("paper.pdf", "%PDF-1.4 whatever");
  const char* old = std::getenv("PATH");
  const std::string path = old == nullptr ? "" : old;
  const std::string bin = scratch_.path("bin");
  std::filesystem::create_directory(bin);
  const auto words = [&] {
    return Words{rows_,
                 "-d",
                 "coherence",
                 "--judge",
                 "openai:scripted",
                 "--base-url",
                 process->url(),
                 "-o",
                 scratch_.path("bank.yaml"),
                 "--store",
                 "none",
                 "-q",
                 "--seeds",
                 "42",
                 "--literature",
                 pdf};
  };
  const auto install = [&](const std::string& script) {
    scratch_.file("bin/pdftotext", "#!/bin/sh\n" + script);
    chmod((bin + "/pdftotext").c_str(), 0755);
  };
  setenv("PATH", bin.c_str(), 1);
  refused(words(), "paper.pdf: a PDF is read with the program pdftotext, which is not installed");
  install("printf '\\f\\n\\f'\n");
  refused(words(), "paper.pdf: there is no text in this PDF");
  install("exit 3\n");
  refused(words(), "paper.pdf: pdftotext could not read this PDF");
  install("[ \"$4\" = '" + pdf + "' ] && [ \"$5\" = '-' ] && echo 'Readers want order.'\n");
  Words learn = words();
  learn.insert(learn.begin(), "learn");
  const Outcome outcome = run_assay(learn);
  setenv("PATH", path.c_str(), 1);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(load_bank(scratch_.path("bank.yaml")).literature, Words{"paper.pdf"});
}

TEST_F(Learn, ZeroShotNeedsNoRows) {
  const auto process = server();
  const Outcome outcome =
      run_assay({"learn", "-d", "coherence", "--from", "zero-shot", "--judge", "openai:scripted",
                 "--base-url", process->url(), "-o", scratch_.path("zero.yaml"), "--store", "none",
                 "--seeds", "42"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Bank bank = load_bank(scratch_.path("zero.yaml"));
  ASSERT_EQ(bank.seeds.at(0).hypotheses.size(), 5U);
  EXPECT_EQ(bank.seeds[0].hypotheses[0].origin, "zero-shot");
  EXPECT_TRUE(bank.seeds[0].seen.empty());
}

}  // namespace
}  // namespace assay::test
