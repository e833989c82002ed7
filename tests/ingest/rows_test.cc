// What good files give: names, aliases, --map, both formats, standard input, limits.

#include "ingest/rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "assay/error.h"
#include "ingest/temp_file.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::TempFile;

std::vector<Row> read_all(RowReader& reader) {
  std::vector<Row> rows;
  while (auto row = reader.next()) rows.push_back(*std::move(row));
  return rows;
}

std::vector<Row> rows_of(std::string_view name, std::string_view content,
                         Named<std::string> map = {}) {
  const TempFile file(name, content);
  RowReader reader({.path = file.path(), .map = std::move(map)});
  return read_all(reader);
}

TEST(Rows, ReadsEveryFieldOfAJsonRow) {
  const auto rows = rows_of(
      "a.jsonl", R"({"id":"x","group":"g","system":"s","source":"S","output":"O",)"
                 R"("references":["a","b"],"context":["c1","c2"],"history":"H",)"
                 R"("human":{"fluency":4.5,"coherence":null},"human_raw":{"fluency":[4,5]},)"
                 R"("unknown":{"deep":[1,2]}})"
                 "\n");
  ASSERT_EQ(rows.size(), 1u);
  const Row& row = rows[0];
  EXPECT_EQ(row.sample.id, "x");
  EXPECT_EQ(row.sample.group, "g");
  EXPECT_EQ(row.sample.system, "s");
  EXPECT_EQ(row.sample.fields.source, "S");
  EXPECT_EQ(row.sample.fields.output, "O");
  EXPECT_THAT(row.sample.fields.references, ElementsAre("a", "b"));
  EXPECT_EQ(row.sample.fields.context, "c1\nc2");
  EXPECT_EQ(row.sample.fields.history, "H");
  EXPECT_THAT(row.human, ElementsAre(Pair("fluency", 4.5)));
  EXPECT_THAT(row.human_raw, ElementsAre(Pair("fluency", ElementsAre(4, 5))));
  EXPECT_EQ(row.line, 1u);
}

TEST(Rows, MissingIdAndGroupFollowFromTheLine) {
  const auto rows = rows_of(
      "a.jsonl",
      "{\"output\":\"a\"}\n\n{\"output\":\"b\",\"id\":7}\n{\"output\":\"c\",\"group\":1.5}");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].sample.id, "row-1");
  EXPECT_EQ(rows[0].sample.group, "row-1");
  EXPECT_EQ(rows[1].sample.id, "7");
  EXPECT_EQ(rows[1].sample.group, "7");
  EXPECT_EQ(rows[2].sample.id, "row-4");
  EXPECT_EQ(rows[2].sample.group, "1.5");
}

TEST(Rows, EveryAliasIsRead) {
  const std::vector<std::pair<std::string, std::string>> aliases = {
      {"source", "source input question query document article"},
      {"output", "output actual_output response answer completion summary"},
      {"references", "references reference expected expected_output ground_truth target ideal"},
      {"context", "context contexts retrieval_context retrieved_contexts fact"},
  };
  for (const auto& [field, keys] : aliases) {
    std::string key;
    for (const char c : keys + " ") {
      if (c != ' ') {
        key += c;
        continue;
      }
      SCOPED_TRACE(key);
      const char* output = field == "output" ? "" : R"("output":"o",)";
      const auto rows = rows_of("a.jsonl", fmt::format("{{{}\"{}\":\"text\"}}", output, key));
      ASSERT_EQ(rows.size(), 1u);
      EXPECT_EQ(field_text(rows[0].sample, field), "text");
      const std::string csv =
          fmt::format(fmt::runtime(field == "output" ? "{}\ntext\n" : "output,{}\no,text\n"), key);
      const auto cells = rows_of("a.csv", csv);
      ASSERT_EQ(cells.size(), 1u);
      EXPECT_EQ(field_text(cells[0].sample, field), "text");
      key.clear();
    }
  }
}

TEST(Rows, MapTakesKeysPathsAndRatings) {
  const std::string line =
      R"({"data":{"text":"deep","n":{"x":2}},"a.b":"dotted","answer":"gold","output":"ignored"})";
  const auto rows = rows_of("a.jsonl", line,
                            {{"output", "data.text"},
                             {"references", "answer"},
                             {"source", "a.b"},
                             {"human.coherence", "data.n.x"}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].sample.fields.output, "deep");
  EXPECT_EQ(rows[0].sample.fields.source, "dotted");
  EXPECT_THAT(rows[0].sample.fields.references, ElementsAre("gold"));
  EXPECT_THAT(rows[0].human, ElementsAre(Pair("coherence", 2)));

  const auto cells =
      rows_of("a.csv", "my text,answer,q\nT,A,3\n",
              {{"output", "my text"}, {"references", "answer"}, {"human.fluency", "q"}});
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].sample.fields.output, "T");
  EXPECT_THAT(cells[0].sample.fields.references, ElementsAre("A"));
  EXPECT_THAT(cells[0].human, ElementsAre(Pair("fluency", 3)));
}

TEST(Rows, MapSettlesTwoAliases) {
  const auto rows = rows_of("a.jsonl", R"({"output":"a","answer":"b"})", {{"output", "answer"}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].sample.fields.output, "b");
}

TEST(Rows, NullIsAbsent) {
  const auto rows =
      rows_of("a.jsonl", R"({"output":"a","answer":null,"context":null,"human":null,"id":null})");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].sample.fields.output, "a");
  EXPECT_EQ(rows[0].sample.id, "row-1");
}

TEST(Rows, RawRatingsOfSeveralKindsOfRaters) {
  const auto rows = rows_of(
      "a.jsonl",
      R"({"output":"a","human_raw":{"expert":{"fluency":[5,4]},"sentences":["x"],"mean":1.0}})");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_THAT(rows[0].human_raw, ElementsAre(Pair("expert/fluency", ElementsAre(5, 4))));
}

TEST(Rows, HumanRatingColumns) {
  const auto rows = rows_of("a.csv",
                            "output,fluency/human_rating,human.coherence,human/relevance,human\n"
                            "a,1,2.5,,\"{\"\"overall\"\": 3}\"\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_THAT(rows[0].human,
              ElementsAre(Pair("fluency", 1), Pair("coherence", 2.5), Pair("overall", 3)));
}

TEST(Rows, BomAndCrlfDoNotShow) {
  const auto json =
      rows_of("a.jsonl", "\xef\xbb\xbf{\"output\":\"a\"}\r\n\r\n{\"output\":\"b\"}\r\n");
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1].sample.fields.output, "b");
  const auto csv = rows_of("a.csv", "\xef\xbb\xbfoutput,id\r\na,1\r\nb,\"2\"\r\n\r\n");
  ASSERT_EQ(csv.size(), 2u);
  EXPECT_EQ(csv[0].sample.fields.output, "a");
  EXPECT_EQ(csv[1].sample.id, "2");
}

TEST(Rows, CsvQuotesLineBreaksAndPhysicalLines) {
  const auto rows = rows_of(
      "a.csv", "id,output\n1,\"a \"\"quoted\"\" word, and\r\na break\"\n2,plain\n3,\"\"\"\"\n");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].sample.fields.output, "a \"quoted\" word, and\r\na break");
  EXPECT_EQ(rows[0].line, 2u);
  EXPECT_EQ(rows[1].line, 4u);
  EXPECT_EQ(rows[2].sample.fields.output, "\"");
}

TEST(Rows, CsvCellsMayBeJsonLists) {
  const auto rows =
      rows_of("a.csv", "output;x,references,context\no,\"[\"\"a\"\",\"\"b\"\"]\",[not a list\n",
              {{"output", "output;x"}});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_THAT(rows[0].sample.fields.references, ElementsAre("a", "b"));
  EXPECT_EQ(rows[0].sample.fields.context, "[not a list");
}

TEST(Rows, TsvKeepsEmptyCells) {
  const auto rows = rows_of("a.tsv", "id\toutput\tsource\n\ta\t\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].sample.id, "row-2");
  EXPECT_EQ(rows[0].sample.fields.output, "a");
}

TEST(Rows, SniffsWhatTheExtensionDoesNotTell) {
  EXPECT_EQ(rows_of("a.txt", "\n {\"output\":\"a\"}").size(), 1u);
  EXPECT_EQ(rows_of("a", "id,output\n1,b\n")[0].sample.fields.output, "b");
  EXPECT_EQ(rows_of("a.dat", "id\toutput\n1\tb, c\n")[0].sample.fields.output, "b, c");
}

TEST(Rows, TheFormatCanBeForced) {
  const TempFile file("a.csv", R"({"output":"a"})");
  RowReader reader({.path = file.path(), .format = parse_row_format("jsonl")});
  EXPECT_EQ(read_all(reader).size(), 1u);
  EXPECT_THROW(parse_row_format("xml"), ConfigError);
}

TEST(Rows, StandardInputCanBeCheckedAndThenRead) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string content = "{\"output\":\"a\"}\n{\"output\":\"b\"}\n";
  ASSERT_EQ(::write(ends[1], content.data(), content.size()), static_cast<ssize_t>(content.size()));
  ::close(ends[1]);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  ::close(ends[0]);
  RowReader reader({.path = "-"});
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  EXPECT_EQ(reader.name(), "<stdin>");
  EXPECT_EQ(check_rows(reader).rows, 2u);
  const auto rows = read_all(reader);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].sample.fields.output, "b");
}

TEST(Rows, LimitStopsEarlyAndDoesNotLookFurther) {
  const TempFile file("a.jsonl", "{\"output\":\"a\"}\n{\"output\":\"b\"}\nbroken\n");
  RowReader reader({.path = file.path(), .limit = 2});
  EXPECT_EQ(check_rows(reader).rows, 2u);
  EXPECT_EQ(read_all(reader).size(), 2u);
}

TEST(Rows, AFiftyMegabyteRowIsRead) {
  std::string text(50u << 20, 'x');
  for (std::size_t i = 60; i < text.size(); i += 61) text[i] = ' ';
  const TempFile json("a.jsonl",
                      "{\"id\":\"big\",\"output\":\"" + text + "\"}\n{\"output\":\"small\"}\n");
  RowReader reader({.path = json.path()});
  const auto rows = read_all(reader);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].sample.fields.output == text);
  EXPECT_EQ(rows[1].sample.fields.output, "small");
  const TempFile csv("a.csv", "id,output\nbig,\"" + text + "\"\n2,small\n");
  RowReader cells({.path = csv.path()});
  const auto records = read_all(cells);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_TRUE(records[0].sample.fields.output == text);
}

TEST(Rows, BenchmarkFilesAreReadWhole) {
  const std::filesystem::path data = std::filesystem::path(ASSAY_ROOT) / "../shared/bench/data";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no benchmark data beside the repository";
  const std::vector<std::pair<std::string, std::size_t>> files = {{"summeval", 1600},
                                                                  {"topical_chat", 360},
                                                                  {"qags_cnndm", 235},
                                                                  {"qags_xsum", 239},
                                                                  {"sfres", 1181}};
  for (const auto& [name, count] : files) {
    RowReader reader({.path = (data / (name + ".jsonl")).string()});
    EXPECT_EQ(check_rows(reader).rows, count) << name;
  }
}

}  // namespace
}  // namespace assay
