/* What every program of the bed shares: the clock, the checksum, and sizes that the compiler cannot see.
 *
 *   program [SECONDS]
 *
 * repeats filling and running until SECONDS (default 0) of the timed part are used up, at least three times (the first may
 * start threads) and at most 1000 times, and prints the least time and a checksum of all arrays.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
#define SQRT(x) _Generic((x), float: sqrtf, default: sqrt)(x)
#define ABS(x) ((x) < 0 ? -(x) : (x))
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

struct watch {
    double limit, spent, least, begin;
    int runs;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static NOINLINE struct watch watch_of(int argc, char **argv) {
    return (struct watch){.limit = argc > 1 ? atof(argv[1]) : 0, .least = 1e30};
}

static NOINLINE void start(struct watch *watch) {
    watch->begin = now();
}

/* Ends a run; true where another fits into the time. */
static NOINLINE int again(struct watch *watch) {
    double seconds = now() - watch->begin;
    watch->spent += seconds;
    watch->least = seconds < watch->least ? seconds : watch->least;
    watch->runs++;
    return watch->runs < 3 || (watch->spent < watch->limit && watch->runs < 1000);
}

static NOINLINE long opaque(long size) {
    __asm__ volatile("" : "+r"(size));
    return size;
}

static NOINLINE void *allocate(size_t bytes) {
    void *array = malloc(bytes);
    if (!array) {
        fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        exit(2);
    }
    return array;
}

/* Words mixed one by one; the tail bytewise. */
static NOINLINE void mix(uint64_t *hash, const void *data, size_t bytes) {
    const unsigned char *from = data;
    for (; bytes >= 8; from += 8, bytes -= 8) {
        uint64_t word;
        memcpy(&word, from, 8);
        *hash = (*hash ^ word) * 0x9E3779B97F4A7C15u;
        *hash ^= *hash >> 29;
    }
    for (; bytes; from++, bytes--)
        *hash = (*hash ^ *from) * 0x100000001B3u;
}

static NOINLINE int report(const struct watch *watch, uint64_t hash) {
    printf("checksum %016llx\nseconds %.9f\n", (unsigned long long)hash, watch->least);
    return 0;
}
