/* Preloaded into a test: kills the process, or refuses to write, at a chosen use of a journal's
   files (those with ".match" in their name; their shared memory does not count). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { OFF, KILL, TEAR, FULL, UNSYNCED };

static long uses, chosen;
static int mode;
static char dirty[4096];

void faulty_arm(int new_mode, long at) { mode = new_mode; chosen = at; uses = 0; }
long faulty_uses(void) { return uses; }
int faulty_unsynced(void) {
    int files = 0;
    for (size_t fd = 0; fd < sizeof dirty; fd++) files += dirty[fd];
    return files;
}

static int counts(const char *name) { return strstr(name, ".match") && !strstr(name, "-shm"); }

static int counts_fd(int fd) {
    char link[64], name[4096];
    if (fd < 0 || fd >= (int)sizeof dirty) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    return counts(name);
}

static int due(void) { return mode != OFF && ++uses == chosen; }
static void die(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

/* Whether the use is refused; does not return if the process is to be killed. */
static int hit(void) {
    int now = due();
    if (now && (mode == KILL || mode == TEAR)) die();
    return now;
}

#define REAL(name, type) static type real; if (!real) real = (type)dlsym(RTLD_NEXT, name)

typedef ssize_t (*pwrite_t)(int, const void *, size_t, off64_t);
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    REAL("pwrite64", pwrite_t);
    if (!counts_fd(fd)) return real(fd, bytes, size, at);
    int now = due();
    if (now && mode == TEAR) real(fd, bytes, size / 2, at);
    if (now && (mode == KILL || mode == TEAR)) die();
    if (mode == FULL && uses >= chosen) {
        /* A disk fills up in the middle of a write. */
        if (now && size > 1) return real(fd, bytes, size / 2, at);
        errno = ENOSPC;
        return -1;
    }
    dirty[fd] = 1;
    return real(fd, bytes, size, at);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return pwrite64(fd, bytes, size, at);
}

typedef int (*fd_t)(int);
static int synced(int fd, fd_t real) {
    if (counts_fd(fd)) {
        if (hit() && mode == UNSYNCED) { errno = EIO; return -1; }
        dirty[fd] = 0;
    }
    return real(fd);
}
int fsync(int fd) { REAL("fsync", fd_t); return synced(fd, real); }
int fdatasync(int fd) { REAL("fdatasync", fd_t); return synced(fd, real); }

typedef int (*truncate_t)(int, off64_t);
int ftruncate64(int fd, off64_t size) {
    REAL("ftruncate64", truncate_t);
    if (counts_fd(fd)) hit();
    return real(fd, size);
}

typedef int (*name_t)(const char *);
int unlink(const char *name) {
    REAL("unlink", name_t);
    if (counts(name)) hit();
    return real(name);
}

typedef int (*names_t)(const char *, const char *);
int rename(const char *from, const char *to) {
    REAL("rename", names_t);
    if (counts(to)) hit();
    return real(from, to);
}
