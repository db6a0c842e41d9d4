// Stands between a process and its disk, on Linux: what is done to files in FAULT_FOLDER fails while that folder holds a file named
// `full`, `read-only` or `fsync-fails`, as it does on a disk that is full, was mounted read-only after a fault, or loses what it was given.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

static int is_below(const char *path) {
  const char *folder = getenv("FAULT_FOLDER");
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int is_on(const char *fault) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", getenv("FAULT_FOLDER"), fault);
  return access(path, F_OK) == 0;
}

static int fails(int error) {
  errno = error;
  return -1;
}

#define FIND(name) if (!real) real = dlsym(RTLD_NEXT, name)

// What is there already may be written over on a full disk; of what would make the file longer as much is taken as there is room.
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (is_ours(fd)) {
    struct stat64 file;
    if (is_on("read-only")) return fails(EROFS);
    if (is_on("full") && fstat64(fd, &file) == 0 && at + (off64_t)count > file.st_size) {
      if (at >= file.st_size) return fails(ENOSPC);
      count = file.st_size - at;
    }
  }
  FIND("pwrite64");
  return real(fd, bytes, count, at);
}

int ftruncate64(int fd, off64_t length) {
  static int (*real)(int, off64_t);
  if (is_ours(fd) && is_on("read-only")) return fails(EROFS);
  FIND("ftruncate64");
  return real(fd, length);
}

int open64(const char *path, int flags, ...) {
  static int (*real)(const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if ((flags & O_ACCMODE) != O_RDONLY && is_below(path) && is_on("read-only")) return fails(EROFS);
  FIND("open64");
  return real(path, flags, mode);
}

int unlink(const char *path) {
  static int (*real)(const char *);
  if (is_below(path) && is_on("read-only")) return fails(EROFS);
  FIND("unlink");
  return real(path);
}

int statfs64(const char *path, struct statfs64 *disk) {
  static int (*real)(const char *, struct statfs64 *);
  FIND("statfs64");
  int result = real(path, disk);
  if (result == 0 && is_below(path) && is_on("full")) disk->f_bfree = disk->f_bavail = 0;
  return result;
}

int fsync(int fd) {
  static int (*real)(int);
  if (is_ours(fd) && is_on("fsync-fails")) return fails(EIO);
  FIND("fsync");
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (is_ours(fd) && is_on("fsync-fails")) return fails(EIO);
  FIND("fdatasync");
  return real(fd);
}
