// Jacobi iteration of a plate: two arrays change places after each step, and the largest change decides when it ends.
// arguments: -n 24 -t 0.05 --quiet
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utility>

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

static void HandleError(cudaError_t err, const char* file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}

struct Options {
    int n = 16, most = 1000, quiet = 0;
    double tolerance = 1e-3;
};

static void usage(const char* name)
{
    fprintf(stderr, "usage: %s [-n SIZE] [-i STEPS] [-t TOLERANCE] [-q|--quiet]\n", name);
    exit(2);
}

static Options parse(int argc, char* argv[])
{
    Options o;
    for (int i = 1; i < argc; i++) {
        const char* a = argv[i];
        if (!strcmp(a, "-q") || !strcmp(a, "--quiet")) {
            o.quiet = 1;
        } else if (a[0] == '-' && a[1] && !a[2] && i + 1 < argc) {
            switch (a[1]) {
            case 'n': o.n = atoi(argv[++i]); break;
            case 'i': o.most = atoi(argv[++i]); break;
            case 't': o.tolerance = atof(argv[++i]); break;
            default: usage(argv[0]);
            }
        } else {
            usage(argv[0]);
        }
    }
    return o;
}

__global__ void step(const double* from, double* to, double* change, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int at = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
        to[at] = from[at];
        change[at] = 0;
        return;
    }
    double now = 0.25 * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n]);
    change[at] = fabs(now - from[at]);
    to[at] = now;
}

int main(int argc, char* argv[])
{
    Options o = parse(argc, argv);
    size_t bytes = o.n * o.n * sizeof(double);
    double *plate = (double*)calloc(o.n * o.n, sizeof(double)), *change = (double*)malloc(bytes);
    for (int x = 0; x < o.n; x++)
        plate[x] = 100.0;
    double *d_from, *d_to, *d_change;
    HANDLE_ERROR(cudaMalloc(&d_from, bytes));
    HANDLE_ERROR(cudaMalloc(&d_to, bytes));
    HANDLE_ERROR(cudaMalloc(&d_change, bytes));
    HANDLE_ERROR(cudaMemcpy(d_from, plate, bytes, cudaMemcpyHostToDevice));
    dim3 block(8, 8), grid((o.n + block.x - 1) / block.x, (o.n + block.y - 1) / block.y);
    int steps = 0;
    double largest = 0;
    do {
        step<<<grid, block>>>(d_from, d_to, d_change, o.n);
        HANDLE_ERROR(cudaPeekAtLastError());
        HANDLE_ERROR(cudaMemcpy(change, d_change, bytes, cudaMemcpyDeviceToHost));
        largest = 0;
        for (int i = 0; i < o.n * o.n; i++)
            largest = fmax(largest, change[i]);
        std::swap(d_from, d_to);
        if (!o.quiet && ++steps % 10 == 0)
            printf("%4d %10.6f\n", steps, largest);
        else if (o.quiet)
            ++steps;
    } while (largest > o.tolerance && steps < o.most);
    HANDLE_ERROR(cudaMemcpy(plate, d_from, bytes, cudaMemcpyDeviceToHost));
    printf("%d x %d, %d steps, largest change %.5f\n", o.n, o.n, steps, largest);
    for (int y = 0; y < o.n; y += o.n / 6)
        printf("%8.3f %8.3f %8.3f\n", plate[y * o.n + 1], plate[y * o.n + o.n / 4], plate[y * o.n + o.n / 2]);
    HANDLE_ERROR(cudaFree(d_from));
    HANDLE_ERROR(cudaFree(d_to));
    HANDLE_ERROR(cudaFree(d_change));
    free(plate);
    free(change);
    return EXIT_SUCCESS;
}
