#include "core/open_alone.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace assay {
namespace {

// Between opening and locking, the other process may have moved its file to its final name: what is
// locked then is no longer what stands at the path, and must not be emptied.
bool still_there(int fd, const std::string& path) {
  struct stat opened {};
  struct stat standing {};
  return fstat(fd, &opened) == 0 && stat(path.c_str(), &standing) == 0 &&
         opened.st_ino == standing.st_ino && opened.st_dev == standing.st_dev;
}

int close_with(int fd, int error) {
  close(fd);
  errno = error;
  return -1;
}

}  // namespace

int open_alone(const std::string& path, mode_t mode) {
  for (;;) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    if (fd < 0) return -1;
    struct stat info {};
    if (fstat(fd, &info) == 0 && !S_ISREG(info.st_mode)) return fd;  // a device is written as it is
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) return close_with(fd, errno);
    if (!still_there(fd, path)) {
      close(fd);
      continue;
    }
    if (ftruncate(fd, 0) != 0) return close_with(fd, errno);
    return fd;
  }
}

}  // namespace assay
