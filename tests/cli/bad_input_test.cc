// Bad input, as users meet it: the real binary, one clear line, the right exit code, and no lost or
// invented score.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "fake_server/process.h"
#include "meta/run_assay.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const char* kGood = R"({"id":"a","source":"Ann won gold.","output":"Ann won gold."})";

struct Case {
  const char* name;
  std::string content;  // of rows.jsonl
  std::vector<std::string> options;
  const char* says;  // part of the one line
};

std::vector<Case> cases() {
  const std::string good = std::string(kGood) + "\n";
  return {
      {"an empty file", "", {}, "empty"},
      {"a row without output",
       good + R"({"id":"b","source":"x"})"
              "\n",
       {},
       "rows.jsonl:2: field \"output\""},
      {"an empty output",
       good + R"({"id":"b","source":"x","output":" "})"
              "\n",
       {},
       "rows.jsonl:2:"},
      {"broken UTF-8",
       good + "{\"id\":\"b\",\"source\":\"x\",\"output\":\"\xff\xfe\"}\n",
       {},
       "rows.jsonl:2:"},
      {"a NUL byte",
       good + std::string("{\"id\":\"b\",\"source\":\"x\",\"output\":\"a\0b\"}\n", 38),
       {},
       "rows.jsonl:2:"},
      {"not JSON", good + "{oops\n", {}, "rows.jsonl:2:"},
      {"an id twice", good + good, {}, "rows.jsonl:2:"},
      {"a row without what a dimension needs",
       R"({"id":"a","output":"x"})"
       "\n",
       {"-d", "consistency"},
       "rows.jsonl:1: field \"source\""},
      {"an unknown dimension", good, {"-d", "beauty"}, "beauty"},
      {"an unknown task", good, {"-t", "poetry"}, "poetry"},
      {"an unknown method", good, {"-m", "magic"}, "magic"},
      {"an unknown judge", good, {"--judge", "oracle"}, "oracle"},
      {"an unknown option", good, {"--nonsense"}, "--nonsense"},
      {"an unknown output format", good, {"-o", "results.xyz"}, "xyz"},
      {"no key for a remote judge", good, {"--judge", "openai:gpt-4o"}, "OPENAI_API_KEY"},
      {"credentials in a URL",
       good,
       {"--judge", "openai:m", "--base-url", "http://user:secret@127.0.0.1/v1"},
       "user name or password"},
      {"a recording that is not there",
       good,
       {"--judge", "replay:/nonexistent/answers.jsonl"},
       "answers.jsonl"},
      {"soft values of a judge without them",
       good,
       {"--soft", "--judge", "openai:m", "--base-url", "http://127.0.0.1:9/v1"},
       "--soft"},
      {"an ablation the built-in judge cannot do",
       good,
       {"--ablate", "verification"},
       "built-in judge"},
      {"rubrics that are not there", good, {"--rubrics", "/nonexistent"}, "/nonexistent"},
      {"a folder that cannot hold the output",
       good,
       {"-o", "/nonexistent/out.jsonl"},
       "/nonexistent"},
      {"an output named twice",
       good,
       {"-o", "twice.jsonl", "-o", "twice.jsonl"},
       "names the same file"},
      {"an output over the rows", good, {"-o", "{rows}"}, "would write over the rows"},
      {"a recording over the rows", good, {"--record", "{rows}"}, "would write over the rows"},
      {"no number", good, {"--budget", "nan"}, "--budget: must be 0 or more, not nan"},
      {"a number too small", good, {"-j", "0"}, "--jobs: must be a number above 0, not 0"},
      {"a map of no field", good, {"--map", "colour=x"}, "colour"},
  };
}

TEST(BadInput, OneClearLineAndExit2) {
  unsetenv("OPENAI_API_KEY");
  unsetenv("OPENAI_BASE_URL");
  for (const Case& c : cases()) {
    const Scratch scratch;
    const std::string out = scratch.path("out.jsonl");
    const std::string rows = scratch.file("rows.jsonl", c.content);
    std::vector<std::string> words = {"eval", rows, "--store", "none", "--quiet"};
    for (const std::string& option : c.options) words.push_back(option == "{rows}" ? rows : option);
    if (std::find(words.begin(), words.end(), "-o") == words.end())
      words.insert(words.end(), {"-o", out});
    const Outcome outcome = run_assay(words);
    EXPECT_EQ(outcome.code, 2) << c.name << ": " << outcome.err;
    EXPECT_EQ(lines_of(outcome.err), 1U) << c.name << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(c.says), std::string::npos) << c.name << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("secret"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "") << c.name;
    EXPECT_FALSE(fs::exists(out)) << c.name;
    EXPECT_EQ(slurp(rows), c.content) << c.name;
  }
}

TEST(BadInput, FilesThatAreNoFiles) {
  const Scratch scratch;
  for (const std::string& path :
       {scratch.path("missing.jsonl"), fs::temp_directory_path().string()}) {
    const Outcome outcome = run_assay({"eval", path, "--quiet"});
    EXPECT_EQ(outcome.code, 2) << path;
    EXPECT_EQ(lines_of(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find(path), std::string::npos) << outcome.err;
  }
}

TEST(BadOutput, AFullDiskIsOneLineWithARemedy) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Scratch scratch;
  const std::string rows = scratch.file("rows.jsonl", std::string(kGood) + "\n");
  for (const char* option : {"-o", "--record"}) {
    const std::string full = scratch.path(std::string("full") + option + ".jsonl");
    fs::create_symlink("/dev/full", full);
    const Outcome done = run_assay({"eval", rows, "-q", option, full});
    EXPECT_EQ(done.code, 2) << option;
    EXPECT_EQ(lines_of(done.err), 1U) << done.err;
    EXPECT_EQ(done.err.find("assay: " + full + ": "), 0U) << done.err;
    EXPECT_NE(done.err.find("run the same command again"), std::string::npos) << done.err;
  }
}

// A plan sends nothing, so it must not empty the file that an earlier run was recorded in.
TEST(Plan, LeavesARecordingAsItIs) {
  const Scratch scratch;
  const std::string rows = scratch.file("rows.jsonl", std::string(kGood) + "\n");
  const std::string recording = scratch.file("kept.jsonl", "kept\n");
  const Outcome done = run_assay(
      {"eval", rows, "--judge", "openai:m", "--store", "none", "--dry-run", "--record", recording});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(slurp(recording), "kept\n");
}

// Every command that asks judges says before what it will cost, and sends nothing.
TEST(Plan, EveryCommandThatAsksHasOne) {
  const Scratch scratch;
  std::string rows;
  for (int i = 1; i <= 3; ++i) {
    rows += nlohmann::json({{"id", i},
                            {"group", "g"},
                            {"source", "Ann won gold."},
                            {"output", "Ann won gold."},
                            {"human", {{"coherence", i}}}})
                .dump() +
            "\n";
  }
  const std::string file = scratch.file("rows.jsonl", rows);
  const std::vector<std::vector<std::string>> commands = {
      {"eval", file, "-d", "coherence"},
      {"rank", file, "-d", "coherence"},
      {"learn", file, "-d", "coherence", "--labels", "3", "--initial", "2", "-o",
       scratch.path("bank.yaml")},
      {"checklist", "build", "-d", "coherence", "-o", scratch.path("list.yaml")},
      {"rubric", "draft", "--task", "notes", "--description", "Notes.", "--input", "output=Notes",
       "-o", scratch.path("drafts")}};
  for (std::vector<std::string> words : commands) {
    const std::string name = words.front();
    words.insert(words.end(), {"--judge", "openai:gpt-4o-mini", "--base-url", "http://127.0.0.1:9",
                               "--store", "none", "--dry-run", "--format", "json"});
    const Outcome done = run_assay(words);
    EXPECT_EQ(done.code, 0) << name << ": " << done.err;
    const auto plan = nlohmann::json::parse(done.out, nullptr, false);
    ASSERT_TRUE(plan.is_object()) << name << ": " << done.out;
    double calls = 0;
    double usd = 0;
    for (const auto& stage : plan["stages"]) {
      calls += stage["calls"][1].get<double>();
      usd += stage["usd"][1].get<double>();
    }
    EXPECT_GT(calls, 0) << name;
    EXPECT_GT(usd, 0) << name;
  }
  for (const char* made : {"bank.yaml", "list.yaml", "drafts"})
    EXPECT_FALSE(fs::exists(scratch.path(made))) << made;
}

TEST(BadInput, SkippedRowsAreCountedAndListed) {
  const Scratch scratch;
  const std::string rows = scratch.file(
      "rows.jsonl", std::string(kGood) + "\n{oops\n" + R"({"id":"c","output":"x"})" + "\n");
  const std::string out = scratch.path("out.jsonl");
  const Outcome outcome =
      run_assay({"eval", rows, "-d", "consistency", "--on-error", "skip", "--quiet", "-o", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("rows.jsonl:2:"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("rows.jsonl:3:"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("2 of 3 rows skipped"), std::string::npos) << outcome.err;
  EXPECT_EQ(lines_of(slurp(out)), 1U);
}

TEST(GoodInput, BomCrlfCsvStdinAndAliases) {
  const Scratch scratch;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"bom.jsonl", "\xEF\xBB\xBF" + std::string(kGood) + "\r\n"},
      {"rows.csv", "id,document,summary\r\na,Ann won gold.,\"Ann won\r\ngold.\"\r\n"},
      {"alias.jsonl", R"({"id":"a","input":"Ann won gold.","actual_output":"Ann won gold."})"
                      "\n"},
  };
  for (const auto& [name, content] : files) {
    const std::string out = scratch.path("out.jsonl");
    const Outcome outcome =
        run_assay({"eval", scratch.file(name, content), "-d", "fluency", "--quiet", "-o", out});
    EXPECT_EQ(outcome.code, 0) << name << outcome.err;
    EXPECT_EQ(lines_of(slurp(out)), 1U) << name;
  }
}

TEST(GoodInput, ARowOfFiftyMegabytes) {
  const Scratch scratch;
  std::string text;
  while (text.size() < (std::size_t{50} << 20))
    text += "The quick brown fox jumps over the lazy dog again and again. ";
  const std::string rows = scratch.file(
      "big.jsonl",
      nlohmann::json({{"id", "a"}, {"source", text}, {"output", "The quick brown fox jumps."}})
              .dump() +
          "\n");
  const std::string out = scratch.path("out.jsonl");
  const Outcome outcome = run_assay({"eval", rows, "-d", "fluency", "--quiet", "-o", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(slurp(out)), 1U);
}

// What a server may do: each row ends unscored with a reason, and never with a number.
TEST(BadServer, EveryRowEndsWithAReason) {
  const Scratch scratch;
  const std::string rows = scratch.file("rows.jsonl", std::string(kGood) + "\n");
  struct Trouble {
    std::vector<std::string> server;
    const char* says;
  };
  const std::vector<Trouble> troubles = {
      {{"--mode", "fixed", "--reply", "<html><body>502 Bad Gateway</body></html>"},
       "not a JSON object"},
      {{"--mode", "fixed", "--reply", R"({"s1":"yes")"}, "not a JSON object"},
      {{"--mode", "fixed", "--reply", "1,0"}, "not a JSON object"},
      {{"--mode", "fixed", "--reply", R"({"s9":"yes"})"}, "s1"},
      {{"--faults", "1", "--fault-kinds", "500"}, "500"},
      {{"--faults", "1", "--fault-kinds", "401"}, "401"},
      {{"--faults", "1", "--fault-kinds", "refusal"}, "refused"},
      {{"--faults", "1", "--fault-kinds", "quota"}, "quota"},
  };
  for (const Trouble& trouble : troubles) {
    fake::ServerProcess server(trouble.server);
    const std::string out = scratch.path("out.jsonl");
    fs::remove(out);
    const Outcome outcome = run_assay({"eval", rows, "-d", "fluency", "--threshold", "0", "--judge",
                                       "openai:m", "--base-url", server.url(), "--retries", "1",
                                       "--store", "none", "--quiet", "-o", out});
    EXPECT_EQ(outcome.code, 3) << trouble.says << ": " << outcome.err;
    const nlohmann::json result = nlohmann::json::parse(slurp(out));
    EXPECT_TRUE(result["score"].is_null()) << trouble.says;
    EXPECT_EQ(result["status"], "unscored");
    EXPECT_NE(result["reason"].get<std::string>().find(trouble.says), std::string::npos)
        << result["reason"];
  }
}

TEST(BadServer, AServerThatIsNotThere) {
  const Scratch scratch;
  std::string many;
  for (int i = 0; i < 200; ++i)
    many += nlohmann::json({{"id", std::to_string(i)},
                            {"source", "x"},
                            {"output", "Ann won. " + std::to_string(i)}})
                .dump() +
            "\n";
  const std::string out = scratch.path("out.jsonl");
  const Outcome outcome = run_assay({"eval", scratch.file("rows.jsonl", many), "-d", "fluency",
                                     "--judge", "openai:m", "--base-url", "http://127.0.0.1:9/v1",
                                     "--retries", "1", "--store", "none", "--quiet", "-o", out});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_EQ(lines_of(slurp(out)), 200U);
}

TEST(Keys, NeverReachAFileOrAMessage) {
  const Scratch scratch;
  fake::ServerProcess server({"--require-key", "other"});
  setenv("OPENAI_API_KEY", "sk-very-secret-1234567890", 1);
  const std::string out = scratch.path("out.jsonl");
  const std::string record = scratch.path("record.jsonl");
  const std::string store = scratch.path("ledger.db");
  const Outcome outcome =
      run_assay({"eval", scratch.file("rows.jsonl", std::string(kGood) + "\n"), "-d", "fluency",
                 "--judge", "openai:m", "--base-url", server.url(), "--retries", "0", "--store",
                 store, "--record", record, "-o", out});
  const Outcome doctor = run_assay({"doctor", "--base-url", server.url(), "--store", store});
  unsetenv("OPENAI_API_KEY");
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  for (const std::string& text : {outcome.err, outcome.out, doctor.out, doctor.err, slurp(out),
                                  slurp(record), slurp(store), slurp(store + "-wal")}) {
    EXPECT_EQ(text.find("very-secret"), std::string::npos) << text;
  }
  EXPECT_NE(doctor.out.find("a key is set"), std::string::npos) << doctor.out;
}

TEST(Help, EveryVerbHasAnExample) {
  const Outcome help = run_assay({"--help"});
  EXPECT_EQ(help.code, 0);
  std::istringstream lines(help.out.substr(help.out.find("Subcommands")));
  std::string line;
  std::getline(lines, line);
  int verbs = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string verb;
    if (!line.starts_with("  ") || line.starts_with("   ") || !(words >> verb)) continue;
    const Outcome one = run_assay({verb, "--help"});
    EXPECT_EQ(one.code, 0) << verb;
    EXPECT_NE(one.out.find("assay " + verb), std::string::npos)
        << verb << " has no example in its help";
    ++verbs;
  }
  EXPECT_GE(verbs, 6);
}

}  // namespace
}  // namespace assay::test
