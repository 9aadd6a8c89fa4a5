// Heat on a plate: a five-point stencil with a tile in shared memory and its halo.
#include <cuda.h>
#include <math.h>
#include <stdio.h>

#define BX 16
#define BY 8
#define IDX(x, y) ((y) * nx + (x))
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }

inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort=true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr,"GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}

struct Grid {
    int nx, ny;
    float dx2, dy2;
};

__device__ __forceinline__ bool inside(int x, int y, const Grid& g) { return x > 0 && x < g.nx - 1 && y > 0 && y < g.ny - 1; }

__global__ void heat(const float* __restrict__ now, float* __restrict__ next, Grid g, float a_dt)
{
    __shared__ float s[BY + 2][BX + 2];
    const int nx = g.nx;
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;

    if (x < g.nx && y < g.ny) {
        s[ty][tx] = now[IDX(x, y)];
        if (threadIdx.x == 0 && x > 0) s[ty][0] = now[IDX(x - 1, y)];
        if (threadIdx.x == BX - 1 && x < g.nx - 1) s[ty][BX + 1] = now[IDX(x + 1, y)];
        if (threadIdx.y == 0 && y > 0) s[0][tx] = now[IDX(x, y - 1)];
        if (threadIdx.y == BY - 1 && y < g.ny - 1) s[BY + 1][tx] = now[IDX(x, y + 1)];
    }
    __syncthreads();
    if (x >= g.nx || y >= g.ny)
        return;
    float u = s[ty][tx];
    if (inside(x, y, g))
        u += a_dt * ((s[ty][tx - 1] - 2.0f * u + s[ty][tx + 1]) / g.dx2 + (s[ty - 1][tx] - 2.0f * u + s[ty + 1][tx]) / g.dy2);
    next[IDX(x, y)] = u;
}

int main()
{
    Grid g = {200, 100, 0.01f * 0.01f, 0.01f * 0.01f};
    float *a, *b;
    gpuErrchk(cudaMalloc(&a, g.nx * g.ny * sizeof(float)));
    gpuErrchk(cudaMalloc(&b, g.nx * g.ny * sizeof(float)));
    gpuErrchk(cudaMemset(a, 0, g.nx * g.ny * sizeof(float)));
    dim3 block(BX, BY), grid((g.nx + BX - 1) / BX, (g.ny + BY - 1) / BY);
    for (int step = 0; step < 500; step++) {
        heat<<<grid, block>>>(a, b, g, 0.5f * 0.00005f);
        float* kept = a;
        a = b;
        b = kept;
    }
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
}
