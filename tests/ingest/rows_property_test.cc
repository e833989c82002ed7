// Random and mutated files: whatever the bytes, the reader ends, throws nothing but ConfigError,
// says one line, and reads the same a second time. And what a careful writer wrote comes back.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "assay/error.h"
#include "ingest/csv.h"
#include "ingest/ids.h"
#include "ingest/json_error.h"
#include "ingest/rows.h"
#include "ingest/temp_file.h"

namespace assay {
namespace {

using testing::MemoryFile;
using testing::TempFile;

// The ids and outputs of the rows, or the error.
std::string digest(RowReader& reader) {
  std::string all;
  try {
    while (auto row = reader.next())
      all += row->sample.id + "\x1f" + row->sample.fields.output + "\x1e";
    return fmt::format("{}/{}", all, reader.skipped_count());
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    return all + error.what();
  }
}

void never_breaks(const MemoryFile& file, std::string_view content, RowFormat format, bool skip) {
  try {
    RowReader reader({.path = file.holding(content), .format = format, .skip_bad = skip});
    const std::string first = digest(reader);
    reader.rewind();
    EXPECT_EQ(digest(reader), first);
  } catch (const ConfigError&) {
  }
}

// Ids are looked at once where they all differ; where they do not, the same rows must be left out
// each time.
TEST(RowsProperty, RowsWithAnIdThatCameBeforeAreLeftOutEveryTime) {
  const MemoryFile file;
  std::mt19937 random(5);
  for (int i = 0; i < 50; ++i) {
    std::string content;
    std::set<unsigned> different;
    for (int line = 0; line < 30; ++line) {
      const auto id = static_cast<unsigned>(random() % (i % 2 == 0 ? 20 : 1'000'000));
      different.insert(id);
      content += fmt::format("{{\"id\":{},\"output\":\"text {}\"}}\n", id, line);
    }
    RowReader reader({.path = file.holding(content), .skip_bad = true});
    const std::string first = digest(reader);
    EXPECT_EQ(reader.rows(), different.size());
    reader.rewind();
    EXPECT_EQ(digest(reader), first);
  }
}

std::string random_bytes(std::mt19937& random, std::string_view alphabet, std::size_t most) {
  std::string text(random() % most, '\0');
  for (char& c : text)
    c = alphabet.empty() ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
  return text;
}

TEST(RowsProperty, RandomBytesNeverBreakTheReader) {
  std::mt19937 random(11);
  const MemoryFile file;
  for (int i = 0; i < 1200; ++i) {
    const std::string_view alphabet =
        i % 3 == 0 ? "" : (i % 3 == 1 ? "{}[]\":,\\ntu0e\n \xc3\xa9" : "output,\"\n\r,id;\t");
    for (const RowFormat format : {RowFormat::kAuto, RowFormat::kJsonl, RowFormat::kCsv}) {
      never_breaks(file, random_bytes(random, alphabet, 300), format, i % 2 == 0);
    }
  }
}

TEST(RowsProperty, MutatedRowsNeverBreakTheReader) {
  std::mt19937 random(12);
  const MemoryFile file;
  const std::vector<std::pair<RowFormat, std::string>> seeds = {
      {RowFormat::kJsonl,
       "{\"id\":1,\"output\":\"a "
       "\\u00e9\",\"references\":[\"x\"],\"human\":{\"f\":1.5}}\n{\"id\":2,\"output\":\"b\"}\n"},
      {RowFormat::kCsv, "id,output,human.f\n1,\"a \"\"b\"\"\nc\",2\n2,\"d\",3\n"}};
  for (int i = 0; i < 1500; ++i) {
    auto [format, text] = seeds[static_cast<std::size_t>(i) % seeds.size()];
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 4);
      else if (random() % 2 == 0)
        text.insert(at, 1, static_cast<char>(random()));
      else
        text[at] = static_cast<char>(random());
    }
    never_breaks(file, text, format, i % 4 < 2);
  }
}

// The slow scanner must agree with another parser on what is JSON, or its messages would be about
// nothing.
TEST(RowsProperty, TheErrorScannerKnowsJson) {
  std::mt19937 random(13);
  int good = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = R"({"a":[1,-2.5e3,"x\n\u00e9"],"b":{"c":null,"d":true}})";
    if (i % 10 != 0) text[random() % text.size()] = "{}[]\":,\\0e-. tu"[random() % 15];
    const bool valid = nlohmann::json::accept(text);
    good += valid;
    EXPECT_EQ(ingest::explain_bad_json(text).empty(), valid) << text;
  }
  EXPECT_GT(good, 2000);
}

std::string csv_cell(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + "\"";
}

TEST(RowsProperty, CsvGivesBackWhatWasWritten) {
  std::mt19937 random(14);
  const MemoryFile file;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::string> outputs;
    std::string content = "output,id\n";
    for (std::size_t n = 1 + random() % 6; n > 0; --n) {
      outputs.push_back("x" + random_bytes(random, "ab,\"\n\r \t", 12));
      const bool quote =
          outputs.back().find_first_of(",\"\n\r") != std::string::npos || random() % 2;
      content += fmt::format("{},{}\n", quote ? csv_cell(outputs.back()) : outputs.back(), n);
    }
    RowReader reader({.path = file.holding(content), .format = RowFormat::kCsv});
    for (const std::string& output : outputs) {
      const auto row = reader.next();
      ASSERT_TRUE(row);
      EXPECT_EQ(row->sample.fields.output, output);
    }
    EXPECT_FALSE(reader.next());
  }
}

TEST(RowsProperty, JsonGivesBackWhatWasWritten) {
  std::mt19937 random(15);
  std::string content;
  std::vector<std::string> outputs;
  for (int i = 0; i < 3000; ++i) {
    outputs.push_back("x" + random_bytes(random, "ab\"\\\n\r\t{}/", 400) + "é漢😀");
    content += nlohmann::json{{"output", outputs.back()}}.dump(-1, ' ', i % 2 == 0) + "\n";
  }
  const TempFile file("a.jsonl", content);  // several buffers long: lines straddle their ends
  RowReader reader({.path = file.path()});
  for (const std::string& output : outputs) ASSERT_EQ(reader.next()->sample.fields.output, output);
}

TEST(RowsProperty, IdSetKnowsEveryIdAndNoOther) {
  ingest::IdSet ids;
  const std::size_t n = 200000;
  for (std::size_t i = 1; i <= n; ++i) ASSERT_EQ(ids.insert(fmt::format("doc-{}", i), i), 0u);
  for (std::size_t i = 1; i <= n; i += 97)
    EXPECT_EQ(ids.insert(fmt::format("doc-{}", i), n + 1), i);
  EXPECT_LE(ids.bytes(), n * 48);
}

}  // namespace
}  // namespace assay
