// Each block sums up its tiles, each turned round, while the
// next tiles are on their way.
//
//   C[b][t] = sum over tiles of A[b][tile][63 - t] * (tile + 1)
//
//   tile       0     1     2     3     4
//   copies     2.......... 4..........       two groups ahead
//                 3.......... 5..........
//
// Launch: blocks of 64 threads, one for each TILES tiles of 64.

#include <cuda_pipeline.h>

#define TILES 6
#define STAGES 3

extern "C" __global__ void ahead(
    const float* A, float* C, int n)
{
    __shared__ float part[STAGES][64];

    int t = threadIdx.x;
    int first = blockIdx.x * TILES * 64 + t;

    auto set_out = [&](int tile) {
        int i = first + tile * 64;
        if (tile < TILES)
            __pipeline_memcpy_async(
                &part[tile % STAGES][t], &A[i < n ? i : 0],
                4, i < n ? 0 : 4);
        __pipeline_commit();
    };

    for (int tile = 0; tile < STAGES - 1; ++tile)
        set_out(tile);

    float sum = 0.0f;
    for (int tile = 0; tile < TILES; ++tile) {
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        set_out(tile + STAGES - 1);
        sum += part[tile % STAGES][63 - t] * (tile + 1);
    }
    C[blockIdx.x * 64 + t] = sum;
}
