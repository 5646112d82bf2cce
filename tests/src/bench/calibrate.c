/* What a core issues and moves, measured by loops that do nothing else: the numbers of a processor's model. Every function
 * takes one number, uses as many OpenMP threads as the environment says, and returns the best of several trials. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
typedef double vector __attribute__((vector_size(BYTES)));

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The least time of trials of a statement, over a count. */
#define LEAST(trials, count, statement)                 \
    double best = 1e30;                                 \
    for (int trial = 0; trial < (trials); trial++) {    \
        double start = now();                           \
        statement;                                      \
        double each = (now() - start) / (double)(count); \
        best = each < best ? each : best;               \
    }                                                   \
    return best;

#define REPEAT8(text) text text text text text text text text
enum { TRIPS = 2000000 };

/* Seconds of a cycle: of an addition of integers that waits for the one before. (Of numbers in registers: recent cores add
 * constants while they rename registers.) */
double cycle(double ignored) {
    (void)ignored;
    long x = 0, y = 1;
    LEAST(15, 8.0 * TRIPS, for (long trip = 0; trip < TRIPS; trip++) { __asm__ volatile(REPEAT8("add %1, %0\n") : "+r"(x) : "r"(y)); })
}

/* Seconds of an instruction that does nothing: how many the front of a core passes on. */
double issue(double ignored) {
    (void)ignored;
    LEAST(15, 64.0 * TRIPS / 4, for (long trip = 0; trip < TRIPS / 4; trip++) {
        __asm__ volatile(REPEAT8(REPEAT8("nop\n")) : :);
    })
}

/* Seconds of an operation on a full vector, in a chain. */
#define CHAIN(name, step)                                                  \
    double name(double ignored) {                                          \
        (void)ignored;                                                     \
        vector x = {1.5}, a = {1.0}, b = {0.0};                            \
        x = x - b, a = a - b;                                              \
        __asm__ volatile("" : "+x"(x), "+x"(a), "+x"(b));                  \
        LEAST(15, TRIPS, for (long trip = 0; trip < TRIPS; trip++) {       \
            x = step;                                                      \
            __asm__ volatile("" : "+x"(x));                                \
        })                                                                 \
    }
#pragma clang fp contract(fast)
CHAIN(latency_fused, x *a + b)
CHAIN(latency_add, x + b)
CHAIN(latency_multiply, x *a)

/* Seconds of a division of numbers, each waiting for the one before, and of independent ones. */
double latency_divide(double ignored) {
    (void)ignored;
    double x = 1.5, a = 1.25;
    __asm__ volatile("" : "+x"(x), "+x"(a));
    LEAST(15, TRIPS, for (long trip = 0; trip < TRIPS; trip++) {
        x = a / x;
        __asm__ volatile("" : "+x"(x));
    })
}
double each_divide(double ignored) {
    (void)ignored;
    double x[8], a = 1.25;
    for (int i = 0; i < 8; i++)
        x[i] = 1.5 + i;
    __asm__ volatile("" : "+x"(a));
    LEAST(15, 8.0 * TRIPS / 4, for (long trip = 0; trip < TRIPS / 4; trip++) {
        _Pragma("clang loop unroll(full)") for (int i = 0; i < 8; i++) {
            x[i] = a / x[i];
            __asm__ volatile("" : "+x"(x[i]));
        }
    })
}

/* A part of memory for each thread, written once so that it exists. */
static char *arrays[64];
static int thread_number(void) {
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}
static char *own_array(size_t bytes) {
    char **own = &arrays[thread_number() % 64];
    free(*own);
    *own = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!*own)
        abort();
    memset(*own, 0, bytes);
    return *own;
}

/* Bytes per second that all threads together read or write, each in an array of so many bytes. */
#define STREAM(name, body)                                                                     \
    double name(double bytes) {                                                                \
        long vectors = (long)bytes / BYTES / 8 * 8, rounds = (long)(4e7 / bytes) + 1, threads = 0; \
        double best = 0;                                                                       \
        _Pragma("omp parallel reduction(+ : threads)") {                                       \
            own_array((size_t)bytes);                                                          \
            threads += 1;                                                                      \
        }                                                                                      \
        for (int trial = 0; trial < 12; trial++) {                                             \
            double start = now();                                                              \
            _Pragma("omp parallel") {                                                          \
                vector *at = (vector *)arrays[thread_number() % 64], value = {1};              \
                for (long round = 0; round < rounds; round++)                                  \
                    for (long i = 0; i < vectors; i += 8)                                      \
                        _Pragma("clang loop unroll(full)") for (int j = 0; j < 8; j++) body;   \
            }                                                                                  \
            double rate = (double)(vectors * rounds * threads) * BYTES / (now() - start);      \
            best = rate > best ? rate : best;                                                  \
        }                                                                                      \
        return best;                                                                           \
    }
STREAM(reading, {
    __asm__ volatile("" : : "x"(at[i + j]), "x"(value));
})
STREAM(writing, {
    at[i + j] = value;
    __asm__ volatile("" : : : "memory");
})

/* Seconds of an element that is taken from a place of its own into a vector, from the first level of the caches. */
double gathering(double ignored) {
    (void)ignored;
    enum { LANES = BYTES / 8, STRIDE = 24 };
    double *at = (double *)own_array(LANES * STRIDE * sizeof(double) * 8);
    LEAST(15, (double)LANES * TRIPS / 4, for (long trip = 0; trip < TRIPS / 4; trip++) {
        vector x;
        const double *from = at + trip % 8 * STRIDE * LANES;
        for (int lane = 0; lane < LANES; lane++)
            x[lane] = from[lane * STRIDE];
        __asm__ volatile("" : : "x"(x) : "memory");
    })
}

/* The same where the place was computed in a vector. */
double looking_up(double ignored) {
    (void)ignored;
    enum { LANES = BYTES / 8, PLACES = 64 };
    typedef long numbers __attribute__((vector_size(BYTES)));
    const double *table = (double *)own_array(PLACES * sizeof(double));
    numbers places;
    for (int lane = 0; lane < LANES; lane++)
        places[lane] = lane * 7 % PLACES;
    LEAST(15, (double)LANES * TRIPS / 4, for (long trip = 0; trip < TRIPS / 4; trip++) {
        vector x;
        __asm__ volatile("" : "+x"(places));
        for (int lane = 0; lane < LANES; lane++)
            x[lane] = table[places[lane]];
        __asm__ volatile("" : : "x"(x) : "memory");
    })
}

/* Seconds of a parallel region with nothing in it; of a barrier in one. */
double forking(double ignored) {
    (void)ignored;
    enum { FORKS = 2000 };
    LEAST(15, FORKS, for (int fork = 0; fork < FORKS; fork++) {
        _Pragma("omp parallel") { __asm__ volatile("" : : : "memory"); }
    })
}
double waiting(double ignored) {
    (void)ignored;
    enum { WAITS = 5000 };
    LEAST(15, WAITS, _Pragma("omp parallel") {
        for (int wait = 0; wait < WAITS; wait++) {
            _Pragma("omp barrier") __asm__ volatile("" : : : "memory");
        }
    })
}
