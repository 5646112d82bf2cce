/* The frame that every kernel program shares.
 *
 * A kernel file defines, before it includes this header,
 *
 *   NI, NJ, ..           its sizes: #define NI SIZE(position, mini, small, medium, large, extralarge)
 *   NI_MINIMUM           (optional) the least legal value of that size, a number or another size
 *   DIMENSIONS(d)        d(ni, NI) d(nj, NJ) ..: run-time size and constant, in the order of their positions
 *   ARRAYS(a)            a(role, type, name, elements) ..; role is input, output or temporary
 *
 * and after it a kernel function and three small functions:
 *
 *   initialise(problem)  fills every array element that the kernel reads before it writes it
 *   run(problem)         calls the kernel function
 *   work(problem)        what the kernel costs at least (see struct work)
 *
 * How one file becomes many builds (-D):
 *
 *   PT_CLASS=0..4        which of the five sizes the constants NI, NJ, .. take (default 0)
 *   PT_EXPLICIT          the constants are PT_D0, PT_D1, .. instead
 *   PT_VLA               array parameters have run-time extents; otherwise the constants NI, NJ, ..
 *   PT_RESTRICT          array parameters are restrict
 *   PT_INLINE            the kernel is static, to be inlined into its caller; otherwise external and noinline
 *   PT_FIXED             the sizes are compile-time constants; otherwise they come from the command line
 *   PT_OUTPUTS_ONLY      inputs and temporaries die after the kernel; otherwise every array is live
 *   PT_SHARED            entry points for a loader (pt_alloc, pt_run, ..) instead of main
 *
 * The program:  kernel [size ..] [-l ORDER GAP] [-o FILE]
 * prints a hash of the arrays and, with -o, writes their raw bytes and prints their names, types and element counts.
 *
 * All arrays lie in one block, one behind the other, in the order with the number ORDER (0 is that of ARRAYS, the last of
 * their permutations the reverse), with GAP bytes between them: 0 as members of a structure, 16 as blocks of malloc, 4096
 * far apart. A kernel that writes between them or outside ends the program with status 3.
 */
#ifndef POLYTILE_KERNEL_H
#define POLYTILE_KERNEL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes. */
#ifndef PT_CLASS
#define PT_CLASS 0
#endif
#ifdef PT_EXPLICIT
#define SIZE(position, mini, small, medium, large, extralarge) PT_D##position
#else
#define SIZE(position, mini, small, medium, large, extralarge) \
    (PT_CLASS == 0 ? mini : PT_CLASS == 1 ? small : PT_CLASS == 2 ? medium : PT_CLASS == 3 ? large : extralarge)
#endif

/* Extents and array parameters. */
#ifdef PT_VLA
#define EXTENT(constant, variable) (variable)
#else
#define EXTENT(constant, variable) (constant)
#endif
#ifdef PT_RESTRICT
#define PT_QUALIFIER restrict
#else
#define PT_QUALIFIER
#endif
#define ARRAY1(type, name, N, n) type name[PT_QUALIFIER EXTENT(N, n)]
#define ARRAY2(type, name, N, n, M, m) type name[PT_QUALIFIER EXTENT(N, n)][EXTENT(M, m)]
#define ARRAY3(type, name, N, n, M, m, L, l) type name[PT_QUALIFIER EXTENT(N, n)][EXTENT(M, m)][EXTENT(L, l)]
#define ARRAY4(type, name, N, n, M, m, L, l, K, k) \
    type name[PT_QUALIFIER EXTENT(N, n)][EXTENT(M, m)][EXTENT(L, l)][EXTENT(K, k)]

/* Elements of an array, and the array of a problem p as a typed variable. */
#define COUNT1(N, n) ((size_t)EXTENT(N, p->n))
#define COUNT2(N, n, M, m) (COUNT1(N, n) * (size_t)EXTENT(M, p->m))
#define COUNT3(N, n, M, m, L, l) (COUNT2(N, n, M, m) * (size_t)EXTENT(L, p->l))
#define COUNT4(N, n, M, m, L, l, K, k) (COUNT3(N, n, M, m, L, l) * (size_t)EXTENT(K, p->k))
#define VIEW1(type, name) type *name = p->name
#define VIEW2(type, name, M, m) type(*name)[EXTENT(M, p->m)] = p->name
#define VIEW3(type, name, M, m, L, l) type(*name)[EXTENT(M, p->m)][EXTENT(L, p->l)] = p->name
#define VIEW4(type, name, M, m, L, l, K, k) type(*name)[EXTENT(M, p->m)][EXTENT(L, p->l)][EXTENT(K, p->k)] = p->name

#ifdef PT_INLINE
#define KERNEL static
#else
#define KERNEL __attribute__((noinline))
#endif

/* One instance of the computation: its sizes and its arrays. */
struct problem {
#define PT_FIELD(size, constant) int size;
    DIMENSIONS(PT_FIELD)
#undef PT_FIELD
#define PT_FIELD(role, type, name, elements) void *name;
    ARRAYS(PT_FIELD)
#undef PT_FIELD
    char *pt_block; /* the memory that all arrays lie in */
};

/* What a kernel costs at least, whatever its schedule. */
struct work {
    double operations;      /* arithmetic operations, invariant factors folded */
    double bytes;           /* compulsory traffic: an array read once, a written one read (for ownership) and written */
    /* The longest chain of dependences that no order of the instances breaks: */
    double chain_fused;     /* fused multiply-adds on it */
    double chain_additions; /* plain additions */
    double chain_divisions; /* divisions and square roots */
};

static void initialise(const struct problem *p);
static void run(const struct problem *p);
static struct work work(const struct problem *p);

/* A fraction in [0, 1), the usual initial value. */
static inline double ratio(int numerator, int denominator) {
    return (double)(numerator % denominator) / denominator;
}

enum { PT_GUARD = 4096, PT_PATTERN = 0xA5, PT_LINE = 64 };
#define PT_ONE(size, constant) +1
enum { PT_DIMENSIONS = 0 DIMENSIONS(PT_ONE) };
#undef PT_ONE
#define PT_ONE(role, type, name, elements) +1
enum { PT_ARRAYS = 0 ARRAYS(PT_ONE) };
#undef PT_ONE

/* How the arrays lie in their block. */
struct pt_layout {
    long order; /* the number of a permutation */
    long gap;   /* bytes between two arrays, at least */
};
/* One behind the other, each at the begin of a cache line. */
static const struct pt_layout pt_lines = {0, PT_LINE};

/* An array's place. */
struct pt_place {
    void **array;
    const char *name;
    size_t bytes, align, start;
};

static size_t pt_rounded(size_t bytes, size_t align) {
    return (bytes + align - 1) / align * align;
}

/* Puts the places of all arrays into the order of a layout and sets their starts; the size of the block. */
static __attribute__((noinline)) size_t pt_places(struct problem *p, struct pt_layout layout, struct pt_place *places) {
#define PT_PLACE(role, type, name, elements) {&p->name, #name, sizeof(type) * (elements), _Alignof(type), 0},
    struct pt_place left[] = {ARRAYS(PT_PLACE)};
#undef PT_PLACE
    size_t end = PT_GUARD;
    for (int count = PT_ARRAYS; count > 0; count--) {
        int next = (int)(layout.order % count);
        layout.order /= count;
        struct pt_place *place = places++;
        *place = left[next];
        memmove(left + next, left + next + 1, sizeof *left * (size_t)(count - next - 1));
        size_t align = layout.gap >= PT_LINE ? PT_LINE : layout.gap ? 16 : place->align;
        place->start = pt_rounded(end + (layout.gap == PT_LINE ? 0 : (size_t)layout.gap), align);
        end = place->start + place->bytes;
    }
    return pt_rounded(end + PT_GUARD, PT_GUARD);
}

/* Arrays filled with a pattern, and so is what lies between them. The compiler learns nothing about the pointers. */
static __attribute__((noinline)) void pt_allocate(struct problem *p, struct pt_layout layout) {
    struct pt_place places[PT_ARRAYS];
    size_t total = pt_places(p, layout, places);
    p->pt_block = aligned_alloc(PT_GUARD, total);
    if (!p->pt_block) {
        fprintf(stderr, "out of memory: %zu bytes\n", total);
        exit(2);
    }
    memset(p->pt_block, PT_PATTERN, total);
    for (int i = 0; i < PT_ARRAYS; i++) {
        char *array = p->pt_block + places[i].start;
        __asm__ volatile("" : "+r"(array) : : "memory");
        *places[i].array = array;
    }
}

static void pt_release(struct problem *p) {
    free(p->pt_block);
}

/* Words mixed one by one; the tail bytewise. */
static __attribute__((noinline)) uint64_t pt_mix(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *from = data;
    for (; bytes >= 8; from += 8, bytes -= 8) {
        uint64_t word;
        memcpy(&word, from, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    for (; bytes; from++, bytes--)
        hash = (hash ^ *from) * 0x100000001B3u;
    return hash;
}

/* Whether no byte in a range of the block was changed. */
static __attribute__((noinline)) int pt_intact(struct problem *p, size_t at, size_t until) {
    for (; at < until; at++)
        if ((unsigned char)p->pt_block[at] != PT_PATTERN)
            return 0;
    return 1;
}

/* The name of the array behind which, or before which, a byte outside of the arrays was changed; null if none was. */
static __attribute__((noinline)) const char *pt_changed(struct problem *p, struct pt_layout layout) {
    struct pt_place places[PT_ARRAYS];
    size_t total = pt_places(p, layout, places), at = 0;
    for (int i = 0; i <= PT_ARRAYS; i++) {
        size_t until = i < PT_ARRAYS ? places[i].start : total;
        if (!pt_intact(p, at, until))
            return places[i ? i - 1 : 0].name;
        at = until;
        if (i < PT_ARRAYS)
            at += places[i].bytes;
    }
    return 0;
}

/* What becomes of an array: outputs are always live after the kernel, the others only without PT_OUTPUTS_ONLY. */
enum pt_role { input, output, temporary };

#define PT_HASH(role, type, name, elements) \
    if (role == output || all)              \
        hash = pt_mix(hash, p->name, sizeof(type) * (elements));

static inline uint64_t pt_hash_of(const struct problem *p, int all) {
    uint64_t hash = 0xCBF29CE484222325u;
    ARRAYS(PT_HASH)
    return hash;
}
#undef PT_HASH

#ifdef PT_FIXED
#define PT_SET(size, constant) p->size = constant;
#else
#define PT_SET(size, constant) p->size = *sizes++;
#endif
static inline void pt_set_sizes(struct problem *p, const int *sizes) {
    (void)sizes;
    DIMENSIONS(PT_SET)
}
#undef PT_SET

#ifdef PT_SHARED

int pt_dimensions(void) {
    return PT_DIMENSIONS;
}

void *pt_alloc(const int *sizes) {
    struct problem *p = malloc(sizeof *p);
    pt_set_sizes(p, sizes);
    pt_allocate(p, pt_lines);
    return p;
}

void pt_init(void *state) {
    initialise(state);
}

void pt_run(void *state) {
    struct problem copy = *(struct problem *)state;
#ifdef PT_FIXED
    pt_set_sizes(&copy, 0);
#endif
    run(&copy);
}

uint64_t pt_hash(void *state) {
    return pt_hash_of(state, 1);
}

void pt_free(void *state) {
    pt_release(state);
    free(state);
}

double pt_flops(void *state) {
    return work(state).operations;
}

double pt_bytes(void *state) {
    return work(state).bytes;
}

/* Bytes of the arrays that the kernel writes. */
double pt_written(void *state) {
    struct problem *p = state;
    double bytes = 0;
#define PT_WRITTEN(role, type, name, elements) bytes += role == output ? sizeof(type) * (double)(elements) : 0;
    ARRAYS(PT_WRITTEN)
#undef PT_WRITTEN
    return bytes;
}

double pt_chain_fused(void *state) {
    return work(state).chain_fused;
}

double pt_chain_additions(void *state) {
    return work(state).chain_additions;
}

double pt_chain_divisions(void *state) {
    return work(state).chain_divisions;
}

/* Element type of the first array: 'd', 'f' or 'i'. */
int pt_element(void) {
#define PT_ELEMENT(role, type, name, elements) _Generic((type)0, double: 'd', float: 'f', default: 'i'),
    static const char elements[] = {ARRAYS(PT_ELEMENT)};
#undef PT_ELEMENT
    return elements[0];
}

#else

/* Sizes, the layout after -l and the name after -o from the command line; sizes that are not given keep their constants. */
static __attribute__((noinline)) const char *pt_arguments(int argc, char **argv, int *sizes, struct pt_layout *layout) {
    const char *path = 0;
    int given = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-o") && i + 1 < argc) {
            path = argv[++i];
        } else if (!strcmp(argv[i], "-l") && i + 2 < argc) {
            layout->order = atol(argv[++i]);
            layout->gap = atol(argv[++i]);
        } else if (given < PT_DIMENSIONS) {
            sizes[given++] = atoi(argv[i]);
        } else {
            fprintf(stderr, "usage: %s [size ..] [-l ORDER GAP] [-o FILE]\n", argv[0]);
            exit(2);
        }
    }
#ifdef PT_FIXED
    if (given) {
        fprintf(stderr, "%s: its sizes are compiled in\n", argv[0]);
        exit(2);
    }
#else
#define PT_CHECK(size, constant)                                                                              \
    if (*sizes < 0 || *sizes > EXTENT(constant, *sizes)) {                                                    \
        fprintf(stderr, "%s: " #size " = %d does not fit the extent %d\n", argv[0], *sizes, (int)(constant)); \
        exit(2);                                                                                              \
    }                                                                                                         \
    sizes++;
    DIMENSIONS(PT_CHECK)
#undef PT_CHECK
#endif
    return path;
}

int main(int argc, char **argv) {
#define PT_CONSTANT(size, constant) constant,
    int sizes[] = {DIMENSIONS(PT_CONSTANT)};
#undef PT_CONSTANT
    struct pt_layout layout = pt_lines;
    const char *path = pt_arguments(argc, argv, sizes, &layout);
    struct problem allocated;
    pt_set_sizes(&allocated, sizes);
    pt_allocate(&allocated, layout);
    /* Pointers that nobody else knows the place of, as a program's local variables are. */
    struct problem problem = allocated;
    struct problem *p = &problem;
    initialise(p);
    run(p);
    const char *changed = pt_changed(&allocated, layout);
    if (changed) {
        fprintf(stderr, "write outside of array %s\n", changed);
        return 3;
    }

    FILE *file = path ? fopen(path, "wb") : 0;
    if (path && !file) {
        perror(path);
        return 2;
    }
#ifdef PT_OUTPUTS_ONLY
    const int all = 0;
#else
    const int all = 1;
#endif
#define PT_REPORT(role, type, name, elements)             \
    if ((role == output || all) && file) {                \
        size_t count = (elements);                        \
        fwrite(p->name, sizeof(type), count, file);       \
        printf("array " #name " " #type " %zu\n", count); \
    }
    ARRAYS(PT_REPORT)
#undef PT_REPORT
    if (file && fclose(file)) {
        perror(path);
        return 2;
    }
    printf("outputs %016llx\n", (unsigned long long)pt_hash_of(p, 0));
    if (all)
        printf("arrays %016llx\n", (unsigned long long)pt_hash_of(p, 1));
    pt_release(p);
    return 0;
}

#endif
#endif
