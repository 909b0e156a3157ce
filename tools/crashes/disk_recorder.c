/* Record what processes write to the disk and send to the network, in order.
 *
 * This library is loaded with LD_PRELOAD and wraps functions of the C library. For files below RECORD_FOLDER it records
 * writes, changes of length and name, and the beginning and end of each sync. For TCP connections it records sent data.
 * All recorded processes append to one file, RECORD_FILE. A lock in shared memory, RECORD_LOCK, is held during each
 * operation and its recording. So the order in the file is the real order. A sync is recorded at its beginning and end,
 * because it does not guarantee data that is written meanwhile.
 *
 * Not recorded: memory mapped to a file (SQLite's -shm, which is useless after a crash anyway), files opened with
 * O_SYNC, and system calls that bypass the C library. disk_recorder.py reads the recording.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(type, name, ...)                              \
    static type (*real)(__VA_ARGS__);                      \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

struct head {
    uint32_t kind;
    uint32_t path; /* bytes of path that follow */
    uint64_t at;   /* an offset, a length, the number of a sync, a port */
    uint64_t size; /* bytes of data that follow those */
};

static const char *folder;
static size_t folder_length;
static int record = -1;
static uint32_t *lock;
static uint32_t *syncs;

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("RECORD_FILE"), *shared = getenv("RECORD_LOCK");
    if (!file || !shared || !getenv("RECORD_FOLDER")) return;
    folder = strdup(getenv("RECORD_FOLDER")); /* a copy, because programs may overwrite their environment with a title */
    folder_length = strlen(folder);
    int page = open(shared, O_RDWR | O_CLOEXEC), end = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (page < 0 || end < 0) return;
    record = fcntl(end, F_DUPFD_CLOEXEC, 700); /* a high number that programs do not use */
    lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    syncs = lock + 1;
    close(page);
    close(end);
}

/* The lock ------------------------------------------------------------------------------------------------------- */

static void take(void) {
    uint32_t me = (uint32_t)getpid();
    for (unsigned tries = 1;; tries++) {
        uint32_t nobody = 0;
        if (__atomic_compare_exchange_n(lock, &nobody, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
        if (tries % 4096 == 0 && nobody != me && kill((pid_t)nobody, 0) != 0 && errno == ESRCH &&
            __atomic_compare_exchange_n(lock, &nobody, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return; /* the process that held the lock was killed */
        sched_yield();
    }
}

static void give(void) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

/* Recording ------------------------------------------------------------------------------------------------------ */

static void tell(char kind, const char *path, uint64_t at, const struct iovec *data, int count, uint64_t size) {
    struct head head = {(uint32_t)kind, (uint32_t)strlen(path), at, size};
    struct iovec parts[1026] = {{&head, sizeof head}, {(void *)path, head.path}};
    int used = 2;
    for (int i = 0; i < count && size && used < 1026; i++) {
        size_t length = data[i].iov_len < size ? data[i].iov_len : size;
        parts[used++] = (struct iovec){data[i].iov_base, length};
        size -= length;
    }
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    if (size || real(record, parts, used) < 0) abort(); /* an incomplete recording is useless */
}

static int recorded(const char *path) {
    return record >= 0 && !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

/* Get the path of an open file, and return whether the file is recorded. */
static int path_of(int fd, char *path) {
    if (record < 0 || fd == record) return 0;
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, 4095);
    if (length <= 0) return 0;
    path[length] = 0;
    return recorded(path) && !strstr(path, " (deleted)");
}

static int path_at(int fd, const char *name, char *path) {
    if (record < 0) return 0;
    char base[4096] = "";
    if (name[0] != '/') {
        if (fd == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else if (!path_of(fd, base)) {
            return 0;
        }
    }
    if (snprintf(path, 4096, "%s%s%s", base, base[0] ? "/" : "", name) >= 4096) return 0;
    return recorded(path);
}

/* Return the remote port of a TCP connection over IPv4, or 0 for other files. */
static int port_of(int fd) {
    struct sockaddr_in there;
    socklen_t length = sizeof there;
    if (record < 0 || getpeername(fd, (struct sockaddr *)&there, &length) || there.sin_family != AF_INET) return 0;
    return ntohs(there.sin_port);
}

/* Writing and sending -------------------------------------------------------------------------------------------- */

#define WRITTEN(fd, offset, data, count, call)                                                     \
    char path[4096];                                                                               \
    struct stat about;                                                                             \
    if (record < 0 || fstat(fd, &about)) return call;                                              \
    int port = S_ISSOCK(about.st_mode) ? port_of(fd) : 0;                                          \
    if (!port && !(S_ISREG(about.st_mode) && path_of(fd, path))) return call;                      \
    take();                                                                                        \
    ssize_t done = call;                                                                           \
    int error = errno;                                                                             \
    if (done > 0 && port) tell('s', "", (uint64_t)port, data, count, (uint64_t)done);              \
    if (done > 0 && !port) {                                                                       \
        off_t from = (offset) >= 0 ? (off_t)(offset) : lseek(fd, 0, SEEK_CUR) - done;              \
        tell('w', path, (uint64_t)from, data, count, (uint64_t)done);                              \
    }                                                                                              \
    give();                                                                                        \
    errno = error;                                                                                 \
    return done

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    struct iovec part = {(void *)data, size};
    WRITTEN(fd, -1, &part, 1, real(fd, data, size));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    WRITTEN(fd, -1, parts, count, real(fd, parts, count));
}

#define PWRITE(name, offset_type)                                              \
    ssize_t name(int fd, const void *data, size_t size, offset_type offset) { \
        REAL(ssize_t, #name, int, const void *, size_t, offset_type);         \
        struct iovec part = {(void *)data, size};                              \
        WRITTEN(fd, offset, &part, 1, real(fd, data, size, offset));           \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define PWRITEV(name, offset_type)                                                    \
    ssize_t name(int fd, const struct iovec *parts, int count, offset_type offset) { \
        REAL(ssize_t, #name, int, const struct iovec *, int, offset_type);           \
        WRITTEN(fd, offset, parts, count, real(fd, parts, count, offset));            \
    }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

ssize_t send(int fd, const void *data, size_t size, int flags) {
    REAL(ssize_t, "send", int, const void *, size_t, int);
    struct iovec part = {(void *)data, size};
    WRITTEN(fd, -1, &part, 1, real(fd, data, size, flags));
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    REAL(ssize_t, "sendto", int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    struct iovec part = {(void *)data, size};
    WRITTEN(fd, -1, &part, 1, real(fd, data, size, flags, to, length));
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    REAL(ssize_t, "sendmsg", int, const struct msghdr *, int);
    WRITTEN(fd, -1, message->msg_iov, (int)message->msg_iovlen, real(fd, message, flags));
}

/* Lengths -------------------------------------------------------------------------------------------------------- */

#define CHANGED(kind, fd, at, call)           \
    char path[4096];                          \
    if (!path_of(fd, path)) return call;      \
    take();                                   \
    int done = call, error = errno;           \
    if (!done) tell(kind, path, (uint64_t)(at), NULL, 0, 0); \
    give();                                   \
    errno = error;                            \
    return done

#define FTRUNCATE(name, type)                     \
    int name(int fd, type length) {               \
        REAL(int, #name, int, type);              \
        CHANGED('t', fd, length, real(fd, length)); \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define ALLOCATE(name, type)                                                \
    int name(int fd, type offset, type length) {                            \
        REAL(int, #name, int, type, type);                                  \
        CHANGED('a', fd, offset + length, real(fd, offset, length));        \
    }
ALLOCATE(posix_fallocate, off_t)
ALLOCATE(posix_fallocate64, off64_t)

#define FALLOCATE(name, type)                                               \
    int name(int fd, int mode, type offset, type length) {                  \
        REAL(int, #name, int, int, type, type);                             \
        if (mode) return real(fd, mode, offset, length);                    \
        CHANGED('a', fd, offset + length, real(fd, mode, offset, length));  \
    }
FALLOCATE(fallocate, off_t)
FALLOCATE(fallocate64, off64_t)

/* Syncs ---------------------------------------------------------------------------------------------------------- */

#define SYNC(name)                                                \
    int name(int fd) {                                            \
        REAL(int, #name, int);                                    \
        char path[4096];                                          \
        if (!path_of(fd, path)) return real(fd);                  \
        take();                                                   \
        uint32_t number = ++*syncs;                               \
        tell('b', path, number, NULL, 0, 0);                      \
        give();                                                   \
        int done = real(fd), error = errno;                       \
        if (!done) {                                              \
            take();                                               \
            tell('e', path, number, NULL, 0, 0);                  \
            give();                                               \
        }                                                         \
        errno = error;                                            \
        return done;                                              \
    }
SYNC(fsync)
SYNC(fdatasync)

/* Names ---------------------------------------------------------------------------------------------------------- */

static int opened(int (*real)(int, const char *, int, ...), int at, const char *name, int flags, mode_t mode) {
    char path[4096];
    if (!(flags & (O_CREAT | O_TRUNC)) || !path_at(at, name, path)) return real(at, name, flags, mode);
    take();
    struct stat about;
    int there = !fstatat(at, name, &about, 0), fd = real(at, name, flags, mode), error = errno;
    if (fd >= 0 && !there) tell('c', path, 0, NULL, 0, 0);
    if (fd >= 0 && there && (flags & O_TRUNC)) tell('t', path, 0, NULL, 0, 0);
    give();
    errno = error;
    return fd;
}

#define MODE                                    \
    mode_t mode = 0;                            \
    if (flags & (O_CREAT | __O_TMPFILE)) {      \
        va_list rest;                           \
        va_start(rest, flags);                  \
        mode = va_arg(rest, mode_t);            \
        va_end(rest);                           \
    }

int open(const char *name, int flags, ...) {
    REAL(int, "openat", int, const char *, int, ...);
    MODE return opened(real, AT_FDCWD, name, flags, mode);
}

int open64(const char *name, int flags, ...) {
    REAL(int, "openat64", int, const char *, int, ...);
    MODE return opened(real, AT_FDCWD, name, flags, mode);
}

int openat(int at, const char *name, int flags, ...) {
    REAL(int, "openat", int, const char *, int, ...);
    MODE return opened(real, at, name, flags, mode);
}

int openat64(int at, const char *name, int flags, ...) {
    REAL(int, "openat64", int, const char *, int, ...);
    MODE return opened(real, at, name, flags, mode);
}

#define NAMED(kind, at, name, call)           \
    char path[4096];                          \
    if (!path_at(at, name, path)) return call; \
    take();                                   \
    int done = call, error = errno;           \
    if (!done) tell(kind, path, 0, NULL, 0, 0); \
    give();                                   \
    errno = error;                            \
    return done

int unlink(const char *name) {
    REAL(int, "unlink", const char *);
    NAMED('u', AT_FDCWD, name, real(name));
}

int unlinkat(int at, const char *name, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    NAMED('u', at, name, real(at, name, flags));
}

int mkdir(const char *name, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    NAMED('d', AT_FDCWD, name, real(name, mode));
}

int rmdir(const char *name) {
    REAL(int, "rmdir", const char *);
    NAMED('u', AT_FDCWD, name, real(name));
}

static int moved(char kind, const char *from, const char *to, int (*real)(const char *, const char *)) {
    char path[4096], other[4096];
    if (!path_at(AT_FDCWD, from, path) || !path_at(AT_FDCWD, to, other)) return real(from, to);
    take();
    int done = real(from, to), error = errno;
    struct iovec part = {other, strlen(other)};
    if (!done) tell(kind, path, 0, &part, 1, part.iov_len);
    give();
    errno = error;
    return done;
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return moved('r', from, to, real);
}

int link(const char *from, const char *to) {
    REAL(int, "link", const char *, const char *);
    return moved('l', from, to, real);
}
