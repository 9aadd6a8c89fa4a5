/* Matrices stored by columns with a leading dimension, as BLAS has them: C = alpha * op(A) * op(B) + beta * C. */
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define IDX2C(i, j, ld) (((j) * (ld)) + (i))
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#ifndef TILE
#define TILE 8
#endif

typedef struct {
    int rows, columns, ld;
    double* at;
} Matrix;

typedef enum { NO_TRANS, TRANS } Op;

__device__ __forceinline__ double element(Matrix m, Op op, int i, int j)
{
    return op == TRANS ? m.at[IDX2C(j, i, m.ld)] : m.at[IDX2C(i, j, m.ld)];
}

__global__ void gemm(Op opa, Op opb, double alpha, Matrix a, Matrix b, double beta, Matrix c, int k)
{
    __shared__ double as[TILE][TILE + 1], bs[TILE][TILE + 1];
    int i = blockIdx.x * TILE + threadIdx.x, j = blockIdx.y * TILE + threadIdx.y;
    double sum = 0.0;
    for (int t = 0; t < CEIL_DIV(k, TILE); ++t) {
        int ka = t * TILE + threadIdx.y, kb = t * TILE + threadIdx.x;
        as[threadIdx.y][threadIdx.x] = i < c.rows && ka < k ? element(a, opa, i, ka) : 0.0;
        bs[threadIdx.x][threadIdx.y] = kb < k && j < c.columns ? element(b, opb, kb, j) : 0.0;
        __syncthreads();
        for (int p = 0; p < TILE; ++p)
            sum += as[p][threadIdx.x] * bs[p][threadIdx.y];
        __syncthreads();
    }
    if (i < c.rows && j < c.columns) {
        double* to = &c.at[IDX2C(i, j, c.ld)];
        *to = alpha * sum + (beta == 0.0 ? 0.0 : beta * *to);
    }
}

static Matrix make(int rows, int columns, int ld)
{
    Matrix m = {rows, columns, ld, (double*)malloc((size_t)ld * columns * sizeof(double))};
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < ld; i++)
            m.at[IDX2C(i, j, ld)] = i < rows ? (i + 1) * 0.5 - j * 0.25 : -999.0;
    return m;
}

static Matrix on_device(Matrix h)
{
    Matrix d = h;
    size_t bytes = (size_t)h.ld * h.columns * sizeof *h.at;
    cudaMalloc((void**)&d.at, bytes);
    cudaMemcpy(d.at, h.at, bytes, cudaMemcpyHostToDevice);
    return d;
}

int main(void)
{
    Matrix a = make(13, 10, 16), b = make(11, 13, 12), c = make(10, 11, 12);
    Matrix da = on_device(a), db = on_device(b), dc = on_device(c);
    dim3 threads(TILE, TILE), blocks(CEIL_DIV(c.rows, TILE), CEIL_DIV(c.columns, TILE));
    gemm<<<blocks, threads>>>(TRANS, TRANS, 2.0, da, db, -1.0, dc, 13);
    double* got = (double*)malloc((size_t)c.ld * c.columns * sizeof(double));
    cudaMemcpy(got, dc.at, (size_t)c.ld * c.columns * sizeof(double), cudaMemcpyDeviceToHost);
    bool same = true;
    for (int j = 0; j < c.columns; j++) {
        for (int i = 0; i < c.rows; i++) {
            double sum = 0;
            for (int k = 0; k < 13; k++)
                sum += a.at[IDX2C(k, i, a.ld)] * b.at[IDX2C(j, k, b.ld)];
            same &= got[IDX2C(i, j, c.ld)] == 2.0 * sum - c.at[IDX2C(i, j, c.ld)];
        }
        for (int i = c.rows; i < c.ld; i++)
            same = same && got[IDX2C(i, j, c.ld)] == -999.0;
    }
    for (int i = 0; i < c.rows; i += 3) {
        for (int j = 0; j < c.columns; j += 5)
            printf("%10.3lf", got[IDX2C(i, j, c.ld)]);
        putchar('\n');
    }
    printf("%s\n", same ? "equal" : "different");
    cudaFree(da.at), cudaFree(db.at), cudaFree(dc.at);
    free(a.at), free(b.at), free(c.at), free(got);
    return !same;
}
