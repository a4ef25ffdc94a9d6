/* Memory that runs out: the Nth allocation fails, or so many from the Nth on.
 *
 *   gcc -shared -fPIC -O2 -o failing_memory.so failing_memory.c
 *   LD_PRELOAD=./failing_memory.so PYTHONMALLOC=malloc python ...
 *
 * SQLite is tested so (https://www.sqlite.org/testing.html, 3.1). `fail_allocations` arms it, in a child process
 * too; what has failed is counted in a page that parent and children share. The names behind glibc's own, such as
 * __libc_malloc, are exported by it (malloc/malloc.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_long seen, first, last;
static atomic_long *failed;

__attribute__((constructor)) static void share(void) {
    void *page = mmap(NULL, sizeof *failed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    failed = page == MAP_FAILED ? NULL : page;
}

/* After so many allocations from now, so many fail. */
void fail_allocations(long after, long count) {
    atomic_store(&last, 0);
    atomic_store(&seen, 0);
    atomic_store(&first, after);
    atomic_store(&last, after + count);
    if (failed) atomic_store(failed, 0);
}

/* How many have failed since. */
long failed_allocations(void) { return failed ? atomic_load(failed) : -1; }

static int refuse(void) {
    long until = atomic_load_explicit(&last, memory_order_relaxed);
    if (until == 0) return 0;
    long number = atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed);
    if (number < atomic_load_explicit(&first, memory_order_relaxed) || number >= until) return 0;
    if (failed) atomic_fetch_add(failed, 1);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return refuse() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refuse() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return refuse() ? NULL : __libc_realloc(old, size); }
