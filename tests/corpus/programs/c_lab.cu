// arguments: 48 -v
/* A lab in plain C: arguments, a table of functions, qsort, static variables, goto for cleaning up. */
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime.h>

#define MAX_N 1024
#define IDX(r, c, w) ((r) * (w) + (c))
#define SWAP(T, a, b) do { T t_ = (a); (a) = (b); (b) = t_; } while (0)

typedef enum { OP_ADD, OP_SUB = 5, OP_MUL, OP_COUNT = 3 } op_t;
typedef struct record { char name[12]; int key; double weight; struct record *next; } record_t;
typedef double (*fn_t)(double, double);

__constant__ int d_table[3] = {2, 3, 5};

__global__ void mix(int *grid, int w, int h, int op)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int *cell = &grid[IDX(y, x, w)];
    switch (op) {
    case OP_ADD: *cell += d_table[x % 3]; break;
    case OP_SUB: *cell -= d_table[y % 3]; break;
    default: *cell *= d_table[(x + y) % 3];
    }
}

static double add(double a, double b) { return a + b; }
static double mul(double a, double b) { return a * b; }
static double power(double a, double b) { return pow(a, b); }
static const fn_t functions[] = { add, mul, power };

static int by_key(const void *a, const void *b)
{
    const record_t *x = (const record_t *)a, *y = (const record_t *)b;
    return (x->key > y->key) - (x->key < y->key);
}

static int next_id(void)
{
    static int id = 100;
    return id++;
}

static unsigned long checksum(const void *p, size_t bytes)
{
    const unsigned char *c = (const unsigned char *)p;
    unsigned long sum = 5381;
    while (bytes--) sum = (sum << 5) + sum + *c++;
    return sum;
}

int main(int argc, char **argv)
{
    int status = EXIT_FAILURE, n = argc > 1 ? atoi(argv[1]) : 16;
    bool verbose = false;
    int *h = NULL, *d = NULL;
    record_t *head = NULL, records[4];
    dim3 block(16, 4), grid;
    size_t bytes;

    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "-v") == 0) verbose = true;
    if (n <= 0 || n > MAX_N) goto done;
    bytes = (size_t)n * 8 * sizeof *h;
    h = (int *)calloc((size_t)n * 8, sizeof *h);
    assert(h != NULL);
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < n; c++) h[IDX(r, c, n)] = r ^ c;
    if (cudaMalloc((void **)&d, bytes) != cudaSuccess) goto done;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    grid = dim3((n + block.x - 1) / block.x, (8 + block.y - 1) / block.y);
    for (op_t op = OP_ADD; op <= OP_MUL; op = (op_t)(op == OP_ADD ? OP_SUB : op + 1)) mix<<<grid, block>>>(d, n, 8, op);
    cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
    printf("%d columns, grid %u x %u, sum %lu\n", n, grid.x, grid.y, checksum(h, bytes));
    if (verbose)
        for (int i = 0; i < 6; i++) printf("%4d%c", h[i * 9], i < 5 ? ',' : '\n');

    memset(records, 0, sizeof records);
    for (int i = 0; i < 4; i++) {
        snprintf(records[i].name, sizeof records[i].name, "part-%c", 'a' + (i * 3) % 4);
        records[i].key = (i * 7 + 3) % 5;
        records[i].weight = functions[i % 3](i + 1, 2);
        if (next_id() % 2) records[i].weight = -records[i].weight;
    }
    qsort(records, 4, sizeof(record_t), by_key);
    SWAP(record_t, records[0], records[3]);
    for (int i = 0; i < 4; i++) {
        records[i].next = head;
        head = &records[i];
    }
    for (record_t *p = head; p; p = p->next) printf("%s %d %.2f%s", p->name, p->key, p->weight, p->next ? ", " : "\n");
    {
        char line[] = "blocks=12;threads=256;;tile=16", *end;
        long total = 0;
        for (char *word = strtok(line, ";"); word != NULL; word = strtok(NULL, ";")) {
            char *value = strchr(word, '=');
            *value++ = '\0';
            total += strtol(value, &end, 10);
            word[0] = (char)toupper(word[0]);
            printf("%s:%s ", word, value);
        }
        printf("= %ld (%d)\n", total, *end);
    }
    printf("%d %u %ld %.3f %d\n", INT_MAX, UINT_MAX, LONG_MIN, fmod(7.5, 2), (int)strspn("aab", "a"));
    printf("%s\n", getenv("TILESCOPE_NOT_SET") ? "set" : "not set");
    status = EXIT_SUCCESS;
done:
    cudaFree(d);
    free(h);
    return status;
}
