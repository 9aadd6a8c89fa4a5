// arguments: 37 21 50
// A product of matrices whose sides are no multiples of the tile, checked on the host.
#include <cstdio>
#include <cstdlib>

#define TILE 8

__global__ void multiply(const int *a, const int *b, int *c, int m, int n, int k) {
    __shared__ int left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    int sum = 0;
    for (int step = 0; step < (k + TILE - 1) / TILE; ++step) {
        int across = step * TILE + threadIdx.x, down = step * TILE + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < m && across < k ? a[row * k + across] : 0;
        right[threadIdx.y][threadIdx.x] = down < k && column < n ? b[down * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s m n k\n", argv[0]);
        return 2;
    }
    int m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]);
    int *a = (int *)malloc(m * k * sizeof(int)), *b = (int *)malloc(k * n * sizeof(int)), *c = (int *)malloc(m * n * sizeof(int));
    for (int i = 0; i < m * k; ++i) a[i] = i % 7 - 3;
    for (int i = 0; i < k * n; ++i) b[i] = i % 5 - 2;
    int *da, *db, *dc;
    cudaMalloc(&da, m * k * sizeof(int));
    cudaMalloc(&db, k * n * sizeof(int));
    cudaMalloc(&dc, m * n * sizeof(int));
    cudaMemcpy(da, a, m * k * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, k * n * sizeof(int), cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiply<<<grid, block>>>(da, db, dc, m, n, k);
    cudaMemcpy(c, dc, m * n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            int sum = 0;
            for (int x = 0; x < k; ++x) sum += a[i * k + x] * b[x * n + j];
            wrong += sum != c[i * n + j];
        }
    printf("%d x %d: %d wrong, corner %d, last %d\n", m, n, wrong, c[0], c[m * n - 1]);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    free(a);
    free(b);
    free(c);
    return wrong != 0;
}
