// What C programs do with text and numbers: strtok, qsort, bsearch, strtol, the formats of printf on both sides, macros with arguments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <ctype.h>
#include <stdint.h>
#include <inttypes.h>
#include <time.h>
#include <errno.h>
#include <math.h>
#define N 64
#define STR(x) #x
#define XSTR(x) STR(x)
#define LOG(fmt, ...) fprintf(stdout, "[%s:%d] " fmt "\n", __func__, __LINE__, ##__VA_ARGS__)
typedef struct { char name[16]; int value; } item;
static int by_value(const void *a, const void *b) { const item *x = (const item *)a, *y = (const item *)b; return (x->value > y->value) - (x->value < y->value); }
static int cmp_int(const void *a, const void *b) { return *(int *)a - *(int *)b; }
__global__ void bitonic(int *d, int j, int k) {
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x, p = i ^ j;
    if (p > i) {
        int a = d[i], b = d[p];
        if ((i & k) == 0 ? a > b : a < b) { d[i] = b; d[p] = a; }
    }
}
__global__ void say(int n) { if (threadIdx.x < n) printf("thread %2d of %u: %5.2f %s %c %#x %llu\n", threadIdx.x, blockDim.x, sqrtf((float)threadIdx.x), "ok", 'a' + threadIdx.x, 255 * threadIdx.x, 1ULL << (33 + threadIdx.x)); }
int main(int argc, char **argv) {
    char line[] = "alpha=3, beta=-7,gamma=12 , delta=0", *save = NULL;
    item items[8]; int count = 0;
    for (char *tok = strtok(line, ","); tok; tok = strtok(NULL, ",")) {
        while (isspace((unsigned char)*tok)) ++tok;
        char *eq = strchr(tok, '=');
        if (!eq) continue;
        *eq = '\0';
        strncpy(items[count].name, tok, sizeof items[count].name - 1);
        items[count].name[15] = 0;
        items[count].value = atoi(eq + 1);
        ++count;
    }
    qsort(items, count, sizeof(item), by_value);
    for (int i = 0; i < count; ++i) printf("%-10s|%+5d|%05d|%x\n", items[i].name, items[i].value, abs(items[i].value), (unsigned)items[i].value);
    int h[N], *d;
    srand(1);
    for (int i = 0; i < N; ++i) h[i] = rand() % 1000;
    cudaMalloc((void **)&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    for (int k = 2; k <= N; k <<= 1) for (int j = k >> 1; j > 0; j >>= 1) bitonic<<<2, N / 2>>>(d, j, k);
    qsort(h, N, sizeof(int), cmp_int);
    int g[N];
    cudaMemcpy(g, d, sizeof g, cudaMemcpyDeviceToHost);
    LOG("sorted %s, n=%s", memcmp(g, h, sizeof g) == 0 ? "alike" : "differently", XSTR(N));
    int key = h[10], *found = (int *)bsearch(&key, h, N, sizeof *h, cmp_int);
    LOG("found %d", found && *found == key);
    say<<<1, 32>>>(3);
    cudaDeviceSynchronize();
    uint64_t big = UINT64_C(0xdeadbeefcafe);
    int64_t neg = INT64_MIN;
    printf("%" PRIx64 " %" PRId64 " %zu %td\n", big, neg, sizeof(item), (ptrdiff_t)(&h[7] - &h[2]));
    printf("%e %G %.0f %8.3s| %-6d| %+i %% %o %hhd %5c| %*d %.*f\n", 12345.678, 1e-10, 2.5, "abcdef", 42, 7, 8, (signed char)300, 'x', 6, 99, 2, 3.14159);
    char buf[32]; int len = snprintf(buf, sizeof buf, "%s-%04d", "run", 17);
    printf("%s %d %s\n", buf, len, strrchr(buf, '-') + 1);
    char *end; errno = 0; long v = strtol("0x1fz", &end, 16);
    printf("%ld '%s' %d\n", v, end, errno);
    double x = strtod("2.5e3abc", &end); printf("%g %s\n", x, end);
    for (char *p = buf; *p; ++p) *p = toupper(*p);
    puts(buf);
    printf("%d %d %d\n", strcmp("a", "b") < 0, strncasecmp("HELlo", "hello", 5), (int)strspn("1234abc", "0123456789"));
    printf("%.3f %.3f %g %d\n", fmod(7.5, 2), hypot(3, 4), copysign(1.0, -0.0), isnan(NAN) && isinf(INFINITY));
    cudaFree(d);
    return 0;
}
