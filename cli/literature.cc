#include "literature.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "assay/error.h"
#include "rubric/files.h"
#include "text/utf8.h"

extern char** environ;

namespace assay::cli {
namespace {

// Runs a program and returns what it writes to its standard output. `status` is its exit code, -1
// where it did not start or was killed.
std::string output_of(std::vector<std::string> words, int& status, int& error) {
  status = -1;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    error = errno;
    return {};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string out;
  char buffer[1 << 16];
  for (ssize_t got = 0; error == 0 && (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (got > 0) out.append(buffer, static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int how = 0;
  if (error == 0 && waitpid(pid, &how, 0) == pid && WIFEXITED(how)) status = WEXITSTATUS(how);
  return out;
}

std::string pdf_text(const std::string& path) {
  int status = 0;
  int error = 0;
  // A name that begins with a dash must not be taken for an option.
  const std::string name = path.starts_with('-') ? "./" + path : path;
  std::string text = output_of({"pdftotext", "-q", "-enc", "UTF-8", name, "-"}, status, error);
  if (error == ENOENT || status == 127) {
    throw ConfigError(
        fmt::format("{}: a PDF is read with the program pdftotext, which is not installed (Debian: "
                    "poppler-utils); install it, or give the text as .txt or .md",
                    path));
  }
  if (error != 0 || status != 0)
    throw ConfigError(
        fmt::format("{}: pdftotext could not read this PDF; give its text as .txt or .md", path));
  return text;
}

bool blank(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; });
}

}  // namespace

std::string read_literature(const std::string& path) {
  Problems problems;
  std::string text = read_text_file(path, problems).value_or("");
  problems.throw_first();
  const bool pdf = text.starts_with("%PDF-");
  if (pdf) text = pdf_text(path);
  std::replace(text.begin(), text.end(), '\f', '\n');  // pdftotext ends pages with form feeds
  if (blank(text)) {
    throw ConfigError(
        pdf ? fmt::format("{}: there is no text in this PDF (pages are pictures?); give its text "
                          "as .txt or .md",
                          path)
            : fmt::format("{}: the file is empty; literature is text, Markdown or PDF", path));
  }
  if (find_bad_utf8(text) || text.find('\0') != std::string::npos) {
    throw ConfigError(
        fmt::format("{}: this is not UTF-8 text; literature is text, Markdown or PDF", path));
  }
  return text;
}

}  // namespace assay::cli
