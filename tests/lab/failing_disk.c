/* A disk that fails: of the calls on files of one folder, so many fail from the Nth on, and at another the process is
 * killed.
 *
 *   gcc -shared -fPIC -O2 -o failing_disk.so failing_disk.c -ldl
 *   LD_PRELOAD=./failing_disk.so python ...
 *
 * SQLite is tested so (https://www.sqlite.org/testing.html, 3.2, and compound failures in 3.4). `fail_disk` arms it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long seen, first, last, deadly;
static char folder[4096];

/* In this folder: after so many calls from now, so many fail; at the call of number `killed` the process is killed. */
void fail_disk(const char *where, long after, long count, long killed) {
    atomic_store(&last, 0);
    atomic_store(&deadly, -1);
    strncpy(folder, where, sizeof folder - 1);
    atomic_store(&seen, 0);
    atomic_store(&first, after);
    atomic_store(&last, count ? after + count : -1);
    atomic_store(&deadly, killed);
}

/* How many calls there were since; it ends that, too. */
long end_of_failing(void) {
    long calls = atomic_load(&seen);
    folder[0] = 0;
    return calls;
}

static int refuse_name(const char *path) {
    if (!folder[0] || !path || strncmp(path, folder, strlen(folder))) return 0;
    long number = atomic_fetch_add(&seen, 1);
    if (number == atomic_load(&deadly)) kill(getpid(), SIGKILL);
    if (number < atomic_load(&first) || number >= atomic_load(&last)) return 0;
    errno = EIO;
    return 1;
}

static int refuse(int fd) {
    char link[64], path[4096];
    if (!folder[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return refuse_name(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t read(int fd, void *data, size_t size) { return refuse(fd) ? -1 : REAL(read)(fd, data, size); }
ssize_t write(int fd, const void *data, size_t size) { return refuse(fd) ? -1 : REAL(write)(fd, data, size); }
ssize_t pread(int fd, void *data, size_t size, off_t at) { return refuse(fd) ? -1 : REAL(pread)(fd, data, size, at); }
ssize_t pread64(int fd, void *data, size_t size, off64_t at) { return refuse(fd) ? -1 : REAL(pread64)(fd, data, size, at); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return refuse(fd) ? -1 : REAL(pwrite)(fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { return refuse(fd) ? -1 : REAL(pwrite64)(fd, data, size, at); }
int fsync(int fd) { return refuse(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return refuse(fd) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return refuse(fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return refuse(fd) ? -1 : REAL(ftruncate64)(fd, size); }
int rename(const char *old, const char *new) { return refuse_name(old) ? -1 : REAL(rename)(old, new); }
int unlink(const char *path) { return refuse_name(path) ? -1 : REAL(unlink)(path); }

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return refuse_name(path) ? -1 : REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    return refuse_name(path) ? -1 : REAL(open64)(path, flags, mode);
}
