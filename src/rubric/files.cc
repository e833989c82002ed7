#include "rubric/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay {
namespace fs = std::filesystem;

std::vector<std::string> yaml_files(const std::string& path, Problems& problems) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    problems.add(path, 0,
                 error && error != std::errc::no_such_file_or_directory ? error.message()
                                                                        : "no such file or folder");
    return {};
  }
  if (fs::is_regular_file(status)) return {path};
  if (!fs::is_directory(status)) {
    problems.add(path, 0, "neither a file nor a folder");
    return {};
  }
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    const std::string extension = it->path().extension();
    if ((extension == ".yaml" || extension == ".yml") && it->is_regular_file())
      files.push_back(it->path());
  }
  if (error) problems.add(path, 0, error.message());
  if (!error && files.empty()) problems.add(path, 0, "the folder holds no .yaml file");
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<std::string> read_text_file(const std::string& path, Problems& problems) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in.is_open() || in.bad()) {
    problems.add(path, 0, std::string("cannot be read: ") + std::strerror(errno));
    return std::nullopt;
  }
  return text.str();
}

}  // namespace assay
