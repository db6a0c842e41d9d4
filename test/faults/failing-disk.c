// A preloaded library for Linux that makes system calls on files in FAULT_FOLDER fail while that folder contains
// a file named `full`, `full-copy-on-write`, `read-only` or `fsync-fails`. The errors are those of a full disk, of a
// full disk that never overwrites (as Btrfs and ZFS), of a disk remounted read-only after an error, and of a disk
// that fails to persist data.
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

static int is_in_fault_folder(const char *path) {
  const char *folder = getenv("FAULT_FOLDER");
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_fault_file(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_in_fault_folder(path);
}

static int is_active(const char *fault) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", getenv("FAULT_FOLDER"), fault);
  return access(path, F_OK) == 0;
}

static int fail_with(int error) {
  errno = error;
  return -1;
}

#define FIND(name) if (!real) real = dlsym(RTLD_NEXT, name)

// On a full disk, existing bytes can be overwritten. A write past the end of the file is cut at the end, or fails.
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (is_fault_file(fd)) {
    struct stat64 file;
    if (is_active("read-only")) return fail_with(EROFS);
    if (is_active("full-copy-on-write")) return fail_with(ENOSPC);
    if (is_active("full") && fstat64(fd, &file) == 0 && at + (off64_t)count > file.st_size) {
      if (at >= file.st_size) return fail_with(ENOSPC);
      count = file.st_size - at;
    }
  }
  FIND("pwrite64");
  return real(fd, bytes, count, at);
}

int ftruncate64(int fd, off64_t length) {
  static int (*real)(int, off64_t);
  if (is_fault_file(fd) && is_active("read-only")) return fail_with(EROFS);
  FIND("ftruncate64");
  return real(fd, length);
}

int open64(const char *path, int flags, ...) {
  static int (*real)(const char *, int, ...);
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if ((flags & O_ACCMODE) != O_RDONLY && is_in_fault_folder(path) && is_active("read-only")) return fail_with(EROFS);
  FIND("open64");
  return real(path, flags, mode);
}

int unlink(const char *path) {
  static int (*real)(const char *);
  if (is_in_fault_folder(path) && is_active("read-only")) return fail_with(EROFS);
  FIND("unlink");
  return real(path);
}

int statfs64(const char *path, struct statfs64 *disk) {
  static int (*real)(const char *, struct statfs64 *);
  FIND("statfs64");
  int result = real(path, disk);
  if (result == 0 && is_in_fault_folder(path) && is_active("full")) disk->f_bfree = disk->f_bavail = 0;
  return result;
}

int fsync(int fd) {
  static int (*real)(int);
  if (is_fault_file(fd) && is_active("fsync-fails")) return fail_with(EIO);
  FIND("fsync");
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (is_fault_file(fd) && is_active("fsync-fails")) return fail_with(EIO);
  FIND("fdatasync");
  return real(fd);
}
