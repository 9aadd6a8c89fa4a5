// C as in a systems course: getopt, rows of pointers, qsort, function pointers, alloca.
// arguments: -n 12 -b 4 -v out
#include <alloca.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { int id; double weight; char name[16]; } item_t;
typedef int (*compare_t)(const void *, const void *);
typedef enum { UP, DOWN } order_t;

static int by_weight(const void *a, const void *b)
{
    double x = ((const item_t *)a)->weight, y = ((const item_t *)b)->weight;
    return (x > y) - (x < y);
}
static int by_name(const void *a, const void *b) { return strcmp(((const item_t *)a)->name, ((const item_t *)b)->name); }

__global__ void weigh(double *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) w[i] = (i * 7 % n) + 0.5;
}

static float **new_rows(int rows, int cols)
{
    float **m = (float **)malloc(rows * sizeof(float *));
    m[0] = (float *)calloc((size_t)rows * cols, sizeof(float));
    for (int i = 1; i < rows; i++) m[i] = m[0] + i * cols;
    return m;
}

static double average(const double *values, int n)
{
    double *copy = (double *)alloca(n * sizeof(double));
    memcpy(copy, values, n * sizeof(double));
    double s = 0;
    for (int i = 0; i < n; i++) s += copy[i];
    return n ? s / n : 0.0;
}

int main(int argc, char *argv[])
{
    int n = 8, block = 32, c;
    bool verbose = false;
    while ((c = getopt(argc, argv, "n:b:vh")) != -1) {
        switch (c) {
        case 'n': n = atoi(optarg); break;
        case 'b': block = atoi(optarg); break;
        case 'v': verbose = true; break;
        case 'h':
        default: fprintf(stderr, "Usage: %s [-n N] [-b B] [-v]\n", argv[0]); exit(2);
        }
    }
    printf("n=%d block=%d %s rest=%s\n", n, block, verbose ? "verbose" : "quiet", optind < argc ? argv[optind] : "-");
    double *dw, *w = (double *)malloc(n * sizeof *w);
    cudaMalloc((void **)&dw, n * sizeof(double));
    weigh<<<(n + block - 1) / block, block>>>(dw, n);
    cudaMemcpy(w, dw, n * sizeof(double), cudaMemcpyDeviceToHost);
    item_t items[n];
    for (int i = 0; i < n; i++) {
        items[i].id = i;
        items[i].weight = w[i];
        snprintf(items[i].name, sizeof items[i].name, "item%02d", (i * 5) % n);
    }
    compare_t orders[] = {by_weight, by_name};
    const char *names[] = {"weight", "name"};
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        qsort(items, n, sizeof(item_t), orders[k]);
        printf("by %s:", names[k]);
        for (int i = 0; i < n && i < 4; i++) printf(" %d/%.1f/%s", items[i].id, items[i].weight, items[i].name);
        printf("\n");
    }
    float **m = new_rows(3, 5);
    m[1][2] = 2.5f;
    m[2][4] = -1.f;
    float s = 0;
    for (int i = 0; i < 15; i++) s += m[0][i];
    printf("%.2f %g\n", s, average(w, n));
    free(m[0]);
    free(m);
    union { float f; uint32_t u; } bits = {1.5f};
    printf("%08x %d %ld %u\n", bits.u, INT_MAX, (long)sizeof(item_t), ~0u >> 28);
    char text[] = "sum,of , parts";
    for (char *p = strtok(text, ", "); p != NULL; p = strtok(NULL, ", ")) printf("<%s>", p);
    printf(" %-6s|%+.3e|%5d|%-5d|%05d|%x|%c|%%|%s\n", "ab", 12345.678, 42, 42, 42, 255, 'z', isdigit('7') ? "digit" : "no");
    int total = 0;
    sscanf("17 apples", "%d", &total);
    printf("%d %ld %.3f\n", total, strtol("0x1f", NULL, 16), atof("2.75"));
    free(w);
    cudaFree(dw);
    return 0;
}
