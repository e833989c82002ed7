#include "judges/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "assay/error.h"
#include "judges/question_json.h"
#include "judges/recording.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OtherJudge : public Judge {
 public:
  explicit OtherJudge(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::string kind() const override { return "language model"; }
  std::string identity() const override { return name_ + "/id"; }
  Capabilities capabilities() const override {
    Capabilities capabilities;
    capabilities.probabilities = true;
    capabilities.weighs = false;
    return capabilities;
  }
  void ask(Request, Done) override {}

 private:
  std::string name_;
};

std::string temporary(const std::string& name) {
  return testing::TempDir() + "/assay_replay_" + std::to_string(getpid()) + "_" + name;
}

Request request_of(const std::string& key) {
  Request request;
  request.key = key;
  request.stage = "verdicts";
  request.messages = {{Role::kSystem, "Judge."}, {Role::kUser, "Ein \"Text\"\n\t\x01 mit ö und 𝄞"}};
  request.answer = Keyed{{"S1", "S2"}};
  return request;
}

Reply full_reply() {
  Reply reply;
  reply.text = "{\"S1\":\"yes\"}\nline two \\ \xE2\x80\xA8";
  reply.probs = {{"S1", 0.1}, {"S2", 1.0 / 3}};
  reply.notes = {{"S1", "why"}, {"S2", "\"quoted\""}};
  reply.usage = {1, 123, 45, 6, 0.000123456789, 51.25};
  return reply;
}

Reply ask(Judge& judge, const Request& request) {
  Reply out;
  judge.ask(request, [&](Reply reply) { out = std::move(reply); });
  return out;
}

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string error_of(const std::string& file) {
  try {
    make_replay(file);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Replay, GivesBackWhatWasRecorded) {
  const std::string path = temporary("round");
  Reply failed;
  failed.status = Status::kRefused;
  failed.problem = "the judge declined";
  {
    Recorder recorder(path);
    recorder.write(OtherJudge("openai:m"), request_of("k1"), full_reply());
    recorder.write(OtherJudge("openai:m"), request_of("k2"), failed);
  }
  const auto judge = make_replay(path);
  EXPECT_EQ(judge->name(), "openai:m");
  EXPECT_EQ(judge->kind(), "language model");
  EXPECT_EQ(judge->identity(), "openai:m/id");
  EXPECT_TRUE(judge->capabilities().probabilities);
  EXPECT_FALSE(judge->capabilities().weighs);
  const Reply reply = ask(*judge, request_of("k1"));
  const Reply expected = full_reply();
  EXPECT_EQ(reply.status, expected.status);
  EXPECT_EQ(reply.text, expected.text);
  EXPECT_EQ(reply.probs, expected.probs);
  EXPECT_EQ(reply.notes, expected.notes);
  EXPECT_EQ(reply.usage, expected.usage) << "to the last bit";
  EXPECT_EQ(ask(*judge, request_of("k2")).status, Status::kRefused);
  EXPECT_EQ(ask(*judge, request_of("k2")).problem, "the judge declined");
  EXPECT_TRUE(judge->remarks().empty());
  struct stat info {};
  stat(path.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST(Replay, SaysWhatIsNotInIt) {
  const std::string path = temporary("missing");
  Recorder(path).write(OtherJudge("openai:m"), request_of("k1"), full_reply());
  const Reply reply = ask(*make_replay(path), request_of("k9"));
  EXPECT_EQ(reply.status, Status::kTransport);
  EXPECT_THAT(reply.problem, AllOf(HasSubstr("not in the recording"), HasSubstr("(stage verdicts)"),
                                   HasSubstr("record again")));
}

TEST(Replay, TheLastAnswerToAQuestionCounts) {
  const std::string path = temporary("twice");
  Reply later = full_reply();
  later.text = "later";
  Recorder recorder(path);
  recorder.write(OtherJudge("openai:m"), request_of("k"), full_reply());
  recorder.write(OtherJudge("openai:m"), request_of("k"), later);
  EXPECT_EQ(ask(*make_replay(path), request_of("k")).text, "later");
}

TEST(Replay, ALineCutOffAtTheEndIsLeftOutWithARemark) {
  const std::string path = temporary("cut");
  {
    Recorder recorder(path);
    recorder.write(OtherJudge("openai:m"), request_of("k1"), full_reply());
    recorder.write(OtherJudge("openai:m"), request_of("k2"), full_reply());
  }
  const std::string whole = content_of(path);
  const std::size_t second = whole.find('\n') + 1;
  for (std::size_t size = second + 1; size + 1 < whole.size(); size += 41) {
    write(path, whole.substr(0, size));
    const auto judge = make_replay(path);
    EXPECT_EQ(ask(*judge, request_of("k1")).text, full_reply().text);
    EXPECT_EQ(ask(*judge, request_of("k2")).status, Status::kTransport);
    EXPECT_THAT(judge->remarks(), testing::ElementsAre(HasSubstr("cut off")));
  }
}

TEST(Replay, TwoJudgesNeedAName) {
  const std::string path = temporary("two");
  {
    Recorder recorder(path);
    Reply other = full_reply();
    other.text = "other";
    recorder.write(OtherJudge("openai:a"), request_of("k"), full_reply());
    recorder.write(OtherJudge("openai:b"), request_of("k"), other);
  }
  EXPECT_THAT(error_of(path), AllOf(HasSubstr("openai:a, openai:b"), HasSubstr("#openai:a")));
  EXPECT_THAT(error_of(path + "#openai:c"),
              AllOf(HasSubstr("none called openai:c"), HasSubstr("openai:a")));
  EXPECT_EQ(ask(*make_replay(path + "#openai:b"), request_of("k")).text, "other");
  EXPECT_EQ(ask(*make_replay(path + "#openai:a"), request_of("k")).text, full_reply().text);
}

TEST(Replay, WhatIsNoRecordingIsRefusedWithFileAndLine) {
  const std::string line = recording_line(OtherJudge("openai:m"), request_of("k"), full_reply());
  std::string no_status = line;
  no_status.replace(no_status.find("\"status\":\"ok\""), 13, "\"status\":\"so\"");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is empty"},
      {line + "\nnonsense\n", ":2: this line is no JSON object"},
      {line + "\n[]\n" + line + "\n", ":2: this line is no JSON object"},
      {"{}\n", ":1: not a line of a recording"},
      {no_status + "\n", "unknown status"},
      {R"({"key":1,"judge":"j"})"
       "\n",
       ":1: not a line"},
  };
  const std::string path = temporary("bad");
  for (const auto& [text, message] : cases) {
    write(path, text);
    EXPECT_THAT(error_of(path), AllOf(HasSubstr(path), HasSubstr(message))) << text.substr(0, 60);
  }
  EXPECT_THAT(error_of(temporary("absent")), HasSubstr("cannot be read"));
  EXPECT_THAT(error_of(testing::TempDir()), HasSubstr("is a folder"));
}

TEST(Replay, MutatedRecordingsAreReadOrRefused) {
  const std::string line = recording_line(OtherJudge("openai:m"), request_of("k"), full_reply());
  const std::string path = temporary("mutated");
  std::mt19937 random(9);
  for (int i = 0; i < 300; ++i) {
    std::string text = line + "\n" + line + "\n";
    for (int edits = 1 + static_cast<int>(random() % 3); edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = static_cast<char>(random());
      } else {
        text.erase(at, random() % 30);
      }
      if (text.empty()) text = "x";
    }
    write(path, text);
    try {
      ask(*make_replay(path), request_of("k"));
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path));
    }
  }
}

TEST(Recorder, RefusesAFileItCannotWrite) {
  EXPECT_THROW(Recorder("/nonexistent/folder/file"), ConfigError);
  if (access("/dev/full", W_OK) == 0) {
    Recorder full("/dev/full");
    EXPECT_THROW(full.write(OtherJudge("j"), request_of("k"), full_reply()), std::runtime_error);
  }
}

TEST(QuestionJson, IsJsonWithEverythingThatWasAsked) {
  Request request = request_of("k");
  request.sampling.temperature = 0.7;
  request.draw = 2;
  request.attempt = 1;
  const auto json = nlohmann::json::parse(question_json(request));
  EXPECT_EQ(json["messages"][0]["role"], "system");
  EXPECT_EQ(json["messages"][1]["content"], request.messages[1].text);
  EXPECT_EQ(json["sampling"]["temperature"], 0.7);
  EXPECT_EQ(json["sampling"]["seed"], 7);
  EXPECT_EQ(json["draw"], 2);
  EXPECT_EQ(json["attempt"], 1);
  EXPECT_THAT(json["answer"].get<std::string>(), HasSubstr("keyed"));
}

}  // namespace
}  // namespace assay
