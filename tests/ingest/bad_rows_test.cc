// Every way a file can be wrong, and the one line it gets.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/error.h"
#include "ingest/rows.h"
#include "ingest/temp_file.h"

namespace assay {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using testing::TempFile;

// The message without the folder, so that a table can hold it whole.
std::string problem_of(IngestOptions options) {
  try {
    RowReader reader(std::move(options));
    while (reader.next()) {
    }
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    const std::size_t folder = text.find("/tmp/assay-test-");
    if (folder != 0) return text;
    return text.substr(text.find('/', 16) + 1);
  }
  return "no error";
}

struct Case {
  std::string name;
  std::string content;
  std::string problem;
  Named<std::string> map = {};
};

const std::string kMissing =
    "field \"output\" is missing; every row needs one (use --map output=KEY if it has another "
    "name)";
const std::string kEmpty =
    "field \"output\" is empty; there is nothing to judge (drop the row, or use --on-error skip)";
const std::string kCut = "(a row must be one whole line; was the file cut off?)";

std::vector<Case> cases() {
  const std::string good = "{\"output\":\"a\"}\n";
  return {
      {"a.jsonl", "", "a.jsonl: the file is empty; there are no rows to judge"},
      {"a.jsonl", "\n \n\r\n", "a.jsonl: the file holds no rows"},
      {"a.jsonl", "\xef\xbb\xbf", "a.jsonl: the file holds no rows"},
      {"a.csv", "output\n", "a.csv: the file holds no rows"},
      {"a.csv", "\n\n", "a.csv: the file holds no rows"},
      {"a.jsonl", "\xff\xfe{\0"s,
       "a.jsonl: is UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
      {"a.jsonl", "\x1f\x8b\x08\0"s,
       "a.jsonl: is compressed; unpack it first (or pipe it in: zcat FILE | assay ... -)"},
      {"a.jsonl", good + "{\"id\":1}\n", "a.jsonl:2: " + kMissing},
      {"a.jsonl", "{}\n", "a.jsonl:1: " + kMissing},
      {"a.jsonl", "{\"output\":null}\n", "a.jsonl:1: " + kMissing},
      {"a.jsonl", good + "\n{\"output\":\"\"}\n", "a.jsonl:3: " + kEmpty},
      {"a.jsonl", "{\"output\":\" \\n\\t\xc2\xa0\"}\n", "a.jsonl:1: " + kEmpty},
      {"a.jsonl", "{\"output\":5}\n",
       "a.jsonl:1: field \"output\" must be a string, but is a number"},
      {"a.jsonl", "{\"output\":[\"a\"]}\n",
       "a.jsonl:1: field \"output\" must be a string, but is a list"},
      {"a.jsonl", "{\"output\":\"a\",\"references\":[1]}\n",
       "a.jsonl:1: field \"references\" must be a string or a list of strings, but is a list with "
       "a number"},
      {"a.jsonl", "{\"output\":\"a\",\"context\":{}}\n",
       "a.jsonl:1: field \"context\" must be a string or a list of strings, but is an object"},
      {"a.jsonl", "{\"output\":\"a\",\"id\":true}\n",
       "a.jsonl:1: field \"id\" must be a string or a number, but is true or false"},
      {"a.jsonl", "{\"output\":\"a\",\"human\":4}\n",
       "a.jsonl:1: field \"human\" must be an object {dimension: rating}, but is a number"},
      {"a.jsonl", "{\"output\":\"a\",\"human\":{\"fluency\":\"5\"}}\n",
       "a.jsonl:1: field \"human.fluency\" must be a number, but is a string"},
      {"a.jsonl", "{\"output\":\"a\",\"human\":{\"f\":1},\"f/human_rating\":2}\n",
       "a.jsonl:1: human rating of \"f\" is there twice"},
      {"a.jsonl", "{\"output\":\"a\",\"answer\":\"b\"}\n",
       "a.jsonl:1: \"output\" and \"answer\" both stand for field \"output\"; choose one with "
       "--map "
       "output=output"},
      {"a.jsonl", "{\"output\":\"a\",\"output\":\"b\"}\n",
       "a.jsonl:1: key \"output\" is there twice"},
      {"a.jsonl", "{\"id\":1,\"output\":\"a\"}\n\n{\"id\":\"1\",\"output\":\"b\"}\n",
       "a.jsonl:3: id \"1\" is already that of line 1; ids must differ"},
      {"a.jsonl", "{\"id\":\"row-2\",\"output\":\"a\"}\n" + good,
       "a.jsonl:2: id \"row-2\" is already that of line 1; ids must differ"},
      {"a.jsonl", good + "{\"output\":\"a\xff z\"}\n",
       "a.jsonl:2: not UTF-8: bad byte at column 13 (save the file as UTF-8)"},
      {"a.jsonl", "{\"output\":\"\xed\xa0\x80\"}\n",
       "a.jsonl:1: not UTF-8: bad byte at column 12 (save the file as UTF-8)"},
      {"a.jsonl", "{\"output\":\"a\0b\"}\n"s,
       "a.jsonl:1: NUL byte at column 13; this is not a text file, or it is damaged"},
      {"a.jsonl", "{\"output\":\"a\\u0000b\"}\n",
       "a.jsonl:1: field \"output\" holds a NUL character; remove it"},
      {"a.jsonl", "{\"output\":\"\\ud800\"}\n",
       "a.jsonl:1: not valid JSON at column 18: half of a surrogate pair"},
      {"a.jsonl", good + "{\"output\":\"b\"} x\n",
       "a.jsonl:2: not valid JSON at column 16: something follows the end of the row (one row per "
       "line)"},
      {"a.jsonl", "{\"output\":\"a\"}{\"output\":\"b\"}\n",
       "a.jsonl:1: not valid JSON at column 15: something follows the end of the row (one row per "
       "line)"},
      {"a.jsonl", good + "{\"output\":\"cut of",
       "a.jsonl:2: the line ends inside the string that begins at column 11 " + kCut},
      {"a.jsonl", good + "{\"output\":\"cut\",",
       "a.jsonl:2: the line ends in the middle of the row " + kCut},
      {"a.jsonl", "{\n  \"output\": \"a\"\n}\n",
       "a.jsonl:1: the line ends in the middle of the row " + kCut},
      {"a.jsonl", "{\"output\":\"a\" \"id\":1}\n",
       "a.jsonl:1: not valid JSON at column 15: expected ',' or '}'"},
      {"a.jsonl", "{'output':'a'}\n",
       "a.jsonl:1: not valid JSON at column 2: expected a key in double quotes"},
      {"a.jsonl", "{\"output\":\"a\",\"x\":{oops}}\n",
       "a.jsonl:1: not valid JSON at column 20: expected a key in double quotes"},
      {"a.jsonl", "{\"output\":\"a\",\"x\":NaN}\n",
       "a.jsonl:1: not valid JSON at column 19: NaN and Infinity are not JSON; use null"},
      {"a.jsonl", "{\"output\":\"a\tb\"}\n",
       "a.jsonl:1: not valid JSON at column 13: a control character inside a string (write \\n, "
       "\\t or \\u00XX)"},
      {"a.jsonl", "[{\"output\":\"a\"}]\n",
       "a.jsonl:1: the row is a JSON list, not an object; a file of rows has one object per line "
       "(jq -c '.[]' "
       "makes it so)"},
      {"a.jsonl", "\"text\"\n", "a.jsonl:1: the row is a string, not a JSON object"},
      {"a.jsonl", "<html>\n", "a.jsonl:1: not valid JSON at column 1: expected a value"},
      {"a.jsonl", "{\"x\":" + std::string(5000, '['),
       "a.jsonl:1: not valid JSON at column 1006: nested too deeply"},
      {"a.jsonl",
       good,
       "a.jsonl:1: field \"output\" is missing: the row has no such key as --map output names",
       {{"output", "text"}}},
      {"a.jsonl",
       good,
       "a.jsonl: --map names the key \"doc.body\", but no row has it",
       {{"source", "doc.body"}}},
      {"a.jsonl",
       good,
       "--map outptu=x: there is no field \"outptu\" (fields: id, group, system, source, output, "
       "references, "
       "context, history, human, human.DIMENSION)",
       {{"outptu", "x"}}},
      {"a.jsonl",
       good,
       "--map output=y: the field is already mapped to \"x\"; give one key",
       {{"output", "x"}, {"output", "y"}}},
      {"a.csv", "id,text\n1,a\n",
       "a.csv:1: field \"output\" is missing; a CSV file needs a header with such a column (use "
       "--map "
       "output=COLUMN if it has another name; columns here: \"id\", \"text\")"},
      {"a.csv", "output,id,output\n", "a.csv:1: column \"output\" is there twice"},
      {"a.csv", "output,summary\n",
       "a.csv:1: \"output\" and \"summary\" both stand for field \"output\"; choose one with --map "
       "output=output"},
      {"a.csv",
       "output\na\n",
       "a.csv:1: --map source=doc: there is no column \"doc\" (columns: \"output\")",
       {{"source", "doc"}}},
      {"a.csv", "id,output\n1,a,b\n",
       "a.csv:2: the row has 3 fields, but the header has 2 (quote a field that holds the "
       "separator)"},
      {"a.csv", "id,output\n1,\"x\ny\"\n2,\n", "a.csv:4: " + kEmpty},
      {"a.csv", "id,output\n1,\"a\"b\n",
       "a.csv:2: column 2: text follows a closing quote (a quote inside a field is written \"\")"},
      {"a.csv", "id,output\n1,5\" disk\n",
       "a.csv:2: column 2: a quote stands inside a field that does not begin with one (quote the "
       "whole field and "
       "write \"\" for the quote)"},
      {"a.csv", "id,output\n1,\"a\n2,b\n",
       "a.csv:2: a quoted field that begins in this row is never closed"},
      {"a.csv", "output,human.f\na,five\n",
       "a.csv:2: column \"human.f\" must be a number, but is \"five\""},
      {"a.csv", "output,human.f\na,nan\n",
       "a.csv:2: column \"human.f\" must be a number, but is \"nan\""},
      {"a.csv", "output,human\na,4\n",
       "a.csv:2: field \"human\" must be an object {dimension: rating}, but is a number"},
      {"a.csv", "output,id\n\"a\nb\xff\",1\n",
       "a.csv:2: not UTF-8: bad byte at column 2 of line 3 (save the file as UTF-8)"},
      {"a.csv", "output\na\0\n"s,
       "a.csv:2: NUL byte at column 2; this is not a text file, or it is damaged"},
      {"a.csv", "id,output\n1,a\n1,b\n",
       "a.csv:3: id \"1\" is already that of line 2; ids must differ"},
      {"a.csv", "\"a\nb\",x\n",
       "a.csv:1: field \"output\" is missing; a CSV file needs a header with such a column (use "
       "--map "
       "output=COLUMN if it has another name; columns here: \"a b\", \"x\")"},
  };
}

TEST(BadRows, EachGetsItsLine) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.content.substr(0, 80));
    const TempFile file(c.name, c.content);
    EXPECT_EQ(problem_of({.path = file.path(), .map = c.map}), c.problem);
  }
}

TEST(BadRows, FilesThatAreNone) {
  const TempFile file("a.jsonl", "{\"output\":\"a\"}");
  EXPECT_EQ(problem_of({.path = ""}), "no input file was named (use - for standard input)");
  EXPECT_THAT(problem_of({.path = file.folder() + "/none.jsonl"}),
              HasSubstr("none.jsonl: no such file"));
  EXPECT_THAT(problem_of({.path = file.folder()}),
              HasSubstr(": is a directory, not a file of rows"));
  EXPECT_THAT(problem_of({.path = file.path() + "/x"}),
              HasSubstr("cannot be opened: Not a directory"));
  ASSERT_EQ(::chmod(file.path().c_str(), 0), 0);
  ASSERT_EQ(::chmod(file.folder().c_str(), 0755), 0);
  const bool root = ::geteuid() == 0;  // root may read everything, so it steps down for a moment
  if (root && ::seteuid(65534) != 0) FAIL() << "cannot step down";
  const std::string denied = problem_of({.path = file.path()});
  if (root && ::seteuid(0) != 0) FAIL() << "cannot step up again";
  EXPECT_THAT(denied, HasSubstr("not readable: permission denied"));
}

TEST(BadRows, ARowOverTheLimitIsNamedAndNotKept) {
  const std::string big(3u << 20, 'x');
  const TempFile json("a.jsonl", "{\"output\":\"" + big + "\"}\n{\"output\":\"b\"}\n");
  EXPECT_EQ(problem_of({.path = json.path(), .max_row_bytes = 1u << 20}),
            "a.jsonl:1: the row is longer than 1 MB");
  RowReader reader({.path = json.path(), .skip_bad = true, .max_row_bytes = 1u << 20});
  const auto row = reader.next();
  ASSERT_TRUE(row);
  EXPECT_EQ(row->sample.fields.output, "b");
  EXPECT_EQ(row->line, 2u);
  const TempFile csv("a.csv", "output\n\"never closed\n" + big + "\n" + big);
  EXPECT_EQ(problem_of({.path = csv.path(), .max_row_bytes = 1u << 20}),
            "a.csv:2: the row is longer than 1 MB (is a closing quote missing?)");
}

TEST(BadRows, SkippingListsThemAndReadsOn) {
  const TempFile file(
      "a.jsonl",
      "{\"id\":1,\"output\":\"a\"}\nbroken\n{\"id\":1,\"output\":\"b\"}\n{\"output\":\"c\"}\n");
  RowReader reader({.path = file.path(), .skip_bad = true});
  const RowCheck check = check_rows(reader);
  EXPECT_EQ(check.rows, 2u);
  EXPECT_EQ(check.skipped_count, 2u);
  ASSERT_EQ(check.skipped.size(), 2u);
  EXPECT_EQ(check.skipped[0].line, 2u);
  EXPECT_EQ(check.skipped[0].problem,
            file.path() + ":2: not valid JSON at column 1: expected a value");
  EXPECT_EQ(check.skipped[1].line, 3u);
  EXPECT_EQ(reader.rows(), 0u);
  EXPECT_EQ(reader.next()->sample.fields.output, "a");
  EXPECT_EQ(reader.next()->sample.fields.output, "c");
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.skipped_count(), 2u);
}

TEST(BadRows, SkippingAllIsStillAnError) {
  const TempFile file("a.jsonl", "x\ny\n");
  EXPECT_THAT(problem_of({.path = file.path(), .skip_bad = true}),
              HasSubstr("none of its 2 rows can be used; the first: "));
}

TEST(BadRows, OnlyTheFirstThousandAreListed) {
  std::string content;
  for (int i = 0; i < 1500; ++i) content += "broken\n";
  const TempFile file("a.jsonl", content + "{\"output\":\"a\"}\n");
  RowReader reader({.path = file.path(), .skip_bad = true});
  const RowCheck check = check_rows(reader);
  EXPECT_EQ(check.skipped_count, 1500u);
  EXPECT_EQ(check.skipped.size(), 1000u);
}

TEST(BadRows, MapMustBeFieldEqualsKey) {
  EXPECT_EQ(parse_map("output=data.a=b"), std::make_pair("output"s, "data.a=b"s));
  for (const char* bad : {"output", "=x", "output=", ""})
    EXPECT_THROW(parse_map(bad), ConfigError) << bad;
}

}  // namespace
}  // namespace assay
