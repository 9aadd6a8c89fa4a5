// Lab 1: multiply two square matrices on the GPU and check on the CPU. Rows on the stack.
// arguments: 20 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <sys/time.h>
#include <cuda_runtime.h>

#define TILE 4
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t err_ = (call);                                                         \
        if (err_ != cudaSuccess) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));  \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void mm(const float *A, const float *B, float *C, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < n && col < n) {
        float s = 0.f;
        for (int k = 0; k < n; k++)
            s += A[row * n + k] * B[k * n + col];
        C[row * n + col] = s;
    }
}

static double seconds(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return (double)tv.tv_sec + (double)tv.tv_usec * 1.e-6;
}

static void header(const char *title, time_t when)
{
    char date[64];
    struct tm *t = gmtime(&when);
    strftime(date, sizeof date, "%A, %d %B %Y %H:%M:%S", t);
    printf("=== %s ===\n%s\n", title, date);
    printf("%s", asctime(t));
    printf("%04d-%02d-%02d day %d of the year, weekday %d\n", t->tm_year + 1900, t->tm_mon + 1, t->tm_mday, t->tm_yday + 1, t->tm_wday);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s N [seed]\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]);
    srand(argc > 2 ? (unsigned)atoi(argv[2]) : 1u);
    header("Matrix lab", (time_t)1700000000);

    float A[n][n], B[n][n], C[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = (float)(rand() % 10);
            B[i][j] = (float)(rand() % 10) - 4.f;
        }
    memset(C, 0, sizeof(C));
    size_t bytes = sizeof(A);
    printf("%d x %d: %zu bytes a matrix, %zu a row\n", n, n, bytes, sizeof(A[0]));

    double t0 = seconds();
    float *dA, *dB, *dC;
    CHECK(cudaMalloc((void **)&dA, bytes));
    CHECK(cudaMalloc((void **)&dB, bytes));
    CHECK(cudaMalloc((void **)&dC, bytes));
    CHECK(cudaMemcpy(dA, A, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dB, &B[0][0], bytes, cudaMemcpyHostToDevice));
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    mm<<<grid, block>>>(dA, dB, dC, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(C, dC, bytes, cudaMemcpyDeviceToHost));
    double t1 = seconds();

    int wrong = 0;
    float worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += A[i][k] * B[k][j];
            float d = fabsf(s - C[i][j]);
            if (d > worst) worst = d;
            wrong += d > 1e-3f;
        }
    printf("C[0][0] = %.1f, C[%d][%d] = %.1f\n", C[0][0], n - 1, n - 1, C[n - 1][n - 1]);
    printf("%s (worst %g)\n", wrong ? "FAILED" : "PASSED", worst);
    if (t1 < t0) printf("time runs backwards\n");
    cudaFree(dA); cudaFree(dB); cudaFree(dC);
    return wrong != 0;
}
