// Opening: what is made, what is refused and left as it was, and the migrations.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay/error.h"
#include "store/open.h"
#include "store/schema.h"
#include "support.h"

namespace assay::test {
namespace {

std::unique_ptr<Store> open(const std::string& path) {
  LedgerOptions options;
  options.path = path;
  options.busy_ms = 2000;
  return open_ledger(options);
}

std::string refusal(const std::string& path) {
  try {
    open(path);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "(opened)";
}

unsigned mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777u : 0;
}

// A closed ledger with `count` answers.
std::string made(const TempFolder& folder, int count = 3) {
  const std::string path = folder.file("ledger.db");
  auto store = open(path);
  for (int n = 0; n < count; ++n) {
    store->append(record(n, "answer " + std::to_string(n) + std::string(500, 'x')),
                  [](std::string error) { EXPECT_EQ(error, ""); });
  }
  return path;
}

TEST(Open, MakesFilesForTheOwnerOnly) {
  const TempFolder folder;
  const mode_t old = ::umask(0);
  {
    auto store = open(folder.file("deep/er/ledger.db"));
    ASSERT_EQ(put(*store, record(1)), "");
    EXPECT_EQ(mode_of(folder.file("deep")), 0700u);
    EXPECT_EQ(mode_of(folder.file("deep/er")), 0700u);
    for (const char* name : {"ledger.db", "ledger.db-wal", "ledger.db-shm"}) {
      EXPECT_EQ(mode_of(folder.file("deep/er/") + name), 0600u) << name;
    }
  }
  ::umask(old);
}

TEST(Open, AFileMadeBeforeIsKeptFromOthersToo) {
  const TempFolder folder;
  const std::string path = folder.file("made.db");
  ::close(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  ::chmod(path.c_str(), 0666);
  auto store = open(path);
  ASSERT_EQ(put(*store, record(1)), "");
  for (const char* end : {"", "-wal", "-shm"}) EXPECT_EQ(mode_of(path + end), 0600u) << end;
}

TEST(Open, KeepsAnswersOverACloseAndLeavesOneFile) {
  const TempFolder folder;
  const std::string path = made(folder);
  EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
  EXPECT_EQ(text_at(*open(path), 2).substr(0, 8), "answer 2");
}

TEST(Open, RefusesInOneLineAndTouchesNothing) {
  struct Case {
    const char* name;
    const char* says;
    std::string (*spoil)(std::string bytes);  // of a good ledger
  };
  const Case cases[] = {
      {"text", "no SQLite database",
       [](std::string) { return std::string("id,output\n1,hello\n"); }},
      {"long text", "no SQLite database", [](std::string) { return std::string(20000, 'a'); }},
      {"header", "no SQLite database",
       [](std::string bytes) { return bytes.replace(0, 8, "\1\2\3\4\5\6\7\10"); }},
      {"newer", "newer assay (ledger version 9",
       [](std::string bytes) {
         bytes[63] = 9;  // user_version, big-endian, at 60
         return bytes;
       }},
      {"other program", "of another program",
       [](std::string bytes) {
         bytes[68] = 1;  // application_id at 68
         return bytes;
       }},
      {"schema page", "damaged",
       [](std::string bytes) { return bytes.replace(100, 60, 60, '\xee'); }},
      {"cut after the first page", "damaged",
       [](std::string bytes) { return bytes.substr(0, 4096); }},
      {"cut inside the first page", "", [](std::string bytes) { return bytes.substr(0, 1000); }},
  };
  for (const Case& c : cases) {
    const TempFolder folder;
    const std::string path = made(folder);
    const std::string spoiled = c.spoil(bytes_of(path));
    write_bytes(path, spoiled);
    const std::string line = refusal(path);
    EXPECT_NE(line, "(opened)") << c.name;
    EXPECT_NE(line.find(c.says), std::string::npos) << c.name << ": " << line;
    EXPECT_EQ(line.find(path), 0u) << c.name << ": " << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << c.name;
    EXPECT_TRUE(bytes_of(path) == spoiled) << c.name << " was changed";
  }
}

TEST(Open, RefusesAFolderAndABadPath) {
  const TempFolder folder;
  EXPECT_NE(refusal(folder.path()).find("a folder, not a ledger"), std::string::npos);
  write_bytes(folder.file("file"), "x");
  EXPECT_NE(refusal(folder.file("file/ledger.db")).find("cannot be written (Not a directory)"),
            std::string::npos);
  EXPECT_NE(refusal("").find("empty"), std::string::npos);
  EXPECT_NE(refusal("/dev/full").find("/dev/full"), std::string::npos);
}

// As a user who owns nothing here: root may write everywhere.
template <class Work>
int as_nobody(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(99);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Open, RefusesWhatIsReadOnly) {
  const TempFolder folder;
  const std::string path = made(folder);
  const std::string before = bytes_of(path);
  ::chmod(folder.path().c_str(), 0777);
  ::chmod(path.c_str(), 0444);
  EXPECT_EQ(as_nobody([&] {
              return refusal(path).find("cannot be written (Permission denied)") !=
                     std::string::npos;
            }),
            0);
  ::chmod(path.c_str(), 0666);
  ::chmod(folder.path().c_str(), 0555);
  EXPECT_EQ(as_nobody([&] {
              return refusal(path).find("its folder cannot be written") != std::string::npos;
            }),
            0);
  EXPECT_EQ(as_nobody([&] {
              return refusal(folder.file("new/ledger.db")).find("cannot make the folder") !=
                     std::string::npos;
            }),
            0);
  ::chmod(folder.path().c_str(), 0700);
  EXPECT_TRUE(bytes_of(path) == before);
}

// Damage further in shows only when it is read: then it is an error, never "not there".
TEST(Open, DamagedPagesAreNoMissingAnswers) {
  const TempFolder folder;
  const std::string path = made(folder, 400);
  const std::string good = bytes_of(path);
  std::mt19937_64 random(5);
  int failures = 0;
  for (int round = 0; round < 8; ++round) {
    std::string bytes = good;
    for (std::size_t page = 7 * 4096 + (random() % 4) * 4096; page + 4096 <= bytes.size();
         page += 4 * 4096) {
      bytes.replace(page, 64, 64, static_cast<char>(random()));
    }
    write_bytes(path, bytes);
    try {
      auto store = open(path);
      for (int n = 0; n < 400; ++n) {
        try {
          const auto reply = store->find(key(n));
          if (reply) {
            EXPECT_EQ(reply->text.substr(0, 8), ("answer " + std::to_string(n)).substr(0, 8));
          }
        } catch (const LedgerError& error) {
          EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
          ++failures;
        }
      }
    } catch (const ConfigError&) {
      ++failures;
    }
  }
  EXPECT_GT(failures, 0);
}

TEST(Open, ARowThatDoesNotDecodeIsAskedAgainAndReplaced) {
  const TempFolder folder;
  const std::string path = made(folder);
  Database(path, 1000).exec("UPDATE answers SET probs = '[[\"yes\",null]]'");
  auto store = open(path);
  EXPECT_EQ(text_at(*store, 1), "(none)");
  ASSERT_EQ(put(*store, record(1, "mended")), "");
  EXPECT_EQ(text_at(*store, 1), "mended");
}

TEST(Open, DefaultPathFollowsTheBaseDirectories) {
  struct Case {
    const char *data, *home, *path;
  };
  for (const Case& c :
       {Case{"/x", "/h", "/x/assay/ledger.db"}, Case{"", "/h", "/h/.local/share/assay/ledger.db"},
        Case{"relative", "/h", "/h/.local/share/assay/ledger.db"}}) {
    ::setenv("XDG_DATA_HOME", c.data, 1);
    ::setenv("HOME", c.home, 1);
    EXPECT_EQ(default_ledger_path(), c.path);
  }
}

TEST(Schema, MigratesStepByStepAllOrNothing) {
  const TempFolder folder;
  const std::string path = folder.file("x.db");
  write_bytes(path, "");
  const Migration good[] = {{1, "1", "CREATE TABLE a (x)"},
                            {2, "2", "INSERT INTO a VALUES (2)"},
                            {3, "3", "INSERT INTO a VALUES (3)"}};
  const Migration bad[] = {good[0], good[1], {3, "3", "INSERT INTO a VALUES (9); nonsense"}};
  Database database(path, 1000);
  const std::span<const Migration> all(good);
  check_ledger(database, path, all);
  migrate(database, all.first(1));
  EXPECT_EQ(database.number("PRAGMA user_version"), 1);
  EXPECT_THROW(migrate(database, bad), SqliteError);
  EXPECT_EQ(database.number("PRAGMA user_version"), 1);
  EXPECT_EQ(database.number("SELECT count(*) FROM a"), 0);
  migrate(database, all);
  migrate(database, all);
  EXPECT_EQ(database.number("PRAGMA user_version"), 3);
  EXPECT_EQ(database.number("SELECT sum(x) FROM a"), 5);
  EXPECT_THROW(check_ledger(database, path, all.first(2)), ConfigError);
}

TEST(Schema, FilesAreNumberedWithoutGaps) {
  int expected = 1;
  for (const Migration& migration : ledger_migrations()) EXPECT_EQ(migration.version, expected++);
  EXPECT_GT(expected, 1);
}

}  // namespace
}  // namespace assay::test
