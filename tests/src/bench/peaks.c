/* The machine's rates and latencies, measured by loops that do nothing else. Every function uses as many OpenMP threads as
 * the environment says, and returns the best of several trials. */
#include <stdlib.h>
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
/* More than latency times throughput of any of the operations, and with two operands within sixteen registers. */
#define CHAINS 12

typedef double f64v __attribute__((vector_size(BYTES)));
typedef float f32v __attribute__((vector_size(BYTES)));
typedef int i32v __attribute__((vector_size(BYTES)));

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Independent chains x = step(x), as many as hide the latency; operations per second over all threads. */
#define RATE(name, vector, scalar, step)                                               \
    double name(void) {                                                                \
        const long trips = 2000000;                                                    \
        double best = 0;                                                               \
        for (int trial = 0; trial < 25; trial++) {                                     \
            double start = now();                                                      \
            long threads = 0;                                                          \
            _Pragma("omp parallel reduction(+ : threads)") {                           \
                vector x[CHAINS], a = {0}, b = {0};                                    \
                for (int c = 0; c < CHAINS; c++)                                       \
                    x[c] = a + (scalar)(c + 1);                                        \
                a = a + (scalar)1;                                                     \
                __asm__ volatile("" : "+x"(a), "+x"(b));                               \
                for (long trip = 0; trip < trips; trip++) {                            \
                    _Pragma("clang loop unroll(full)") for (int c = 0; c < CHAINS; c++) \
                        x[c] = step;                                                   \
                    for (int c = 0; c < CHAINS; c++)                                   \
                        __asm__ volatile("" : "+x"(x[c]));                            \
                }                                                                      \
                for (int c = 0; c < CHAINS; c++)                                       \
                    __asm__ volatile("" : : "x"(x[c]));                                \
                threads += 1;                                                          \
            }                                                                          \
            double lanes = BYTES / sizeof(scalar);                                     \
            double rate = 2.0 * lanes * CHAINS * (double)trips * (double)threads / (now() - start); \
            if (rate > best)                                                           \
                best = rate;                                                           \
        }                                                                              \
        return best;                                                                   \
    }

#pragma clang fp contract(fast)
RATE(peak_f64, f64v, double, x[c] * a + b)
RATE(peak_f32, f32v, float, x[c] * a + b)
RATE(peak_i32, i32v, int, __builtin_elementwise_min(x[c] + a, b))

/* Bytes per second of three streams over arrays far beyond the caches: a written array counts twice (read for ownership).
 * 256 MB each, since of 96 MB a good part is still in a third-level cache when the next trial comes: rates of 60 to 130
 * GB/s were read off two threads whose memory yields 50. */
static double *arrays[3];
static const long count = 32 << 20;

static int allocate(int number) {
    for (int k = 0; k < number; k++) {
        if (!arrays[k])
            arrays[k] = aligned_alloc(4096, sizeof(double) * (size_t)count);
        if (!arrays[k])
            return 0;
        double *array = arrays[k];
#pragma omp parallel for schedule(static)
        for (long i = 0; i < count; i++)
            array[i] = (double)i * 1e-9;
    }
    return 1;
}

#define STREAM(name, number, bytes, body)                                \
    double name(void) {                                                  \
        if (!allocate(number))                                                 \
            return 0;                                                    \
        double *a = arrays[0], *b = arrays[1], *c = arrays[2];           \
        double best = 0, total = 0;                                      \
        for (int trial = 0; trial < 8; trial++) {                        \
            double sum = 0, start = now();                               \
            _Pragma("omp parallel for schedule(static) reduction(+ : sum)") \
            for (long i = 0; i < count; i++) {                           \
                body;                                                    \
            }                                                            \
            total += sum;                                                \
            double rate = (bytes) * (double)count / (now() - start);     \
            if (rate > best)                                             \
                best = rate;                                             \
        }                                                                \
        __asm__ volatile("" : : "x"(total), "r"(b), "r"(c) : "memory");  \
        return best;                                                     \
    }

STREAM(stream_triad, 3, 32.0, a[i] = b[i] + 0.5 * c[i])
STREAM(stream_update, 1, 16.0, a[i] = 0.999 * a[i])
#pragma clang fp reassociate(on)
STREAM(stream_read, 1, 8.0, sum += a[i])
#pragma clang fp reassociate(off)

/* Seconds of one operation that waits for the one before. */
#define LATENCY(name, trips, step)                                 \
    double name(void) {                                            \
        double best = 1;                                           \
        for (int trial = 0; trial < 15; trial++) {                 \
            double x = 1.5, a = 1.0, b = 0.0, start = now();       \
            __asm__ volatile("" : "+x"(x), "+x"(a), "+x"(b));      \
            for (long trip = 0; trip < (trips); trip++) {          \
                x = step;                                          \
                __asm__ volatile("" : "+x"(x));                    \
            }                                                      \
            double each = (now() - start) / (double)(trips);       \
            if (each < best)                                       \
                best = each;                                       \
        }                                                          \
        return best;                                               \
    }

LATENCY(latency_fused, 10000000, x *a + b)
LATENCY(latency_addition, 10000000, x + b)
LATENCY(latency_division, 3000000, x / a)
