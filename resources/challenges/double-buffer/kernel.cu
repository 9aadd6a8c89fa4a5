// Each block goes through its part of A, tile by tile.
//
//   C[i] = A[i] + A[j]      j is i's mirror image in its tile
//
//   part[0]   tile 0        tile 2
//   part[1]         tile 1        tile 3
//
// Two buffers: while one tile is read the next one is loaded.
//
// Launch: blocks of 64 threads, each with TILES tiles of 64.

#define TILES 4

extern "C" __global__ void mirrored(
    const float* A, float* C, int n)
{
    __shared__ float part[2][64];

    int t = threadIdx.x;
    int i = blockIdx.x * TILES * 64 + t;
    part[0][t] = i < n ? A[i] : 0.0f;

    for (int tile = 0; tile < TILES; ++tile) {
        int now = tile % 2, next = i + 64;
        if (tile + 1 < TILES)
            part[1 - now][t] = next < n ? A[next] : 0.0f;
        __syncthreads();

        if (i < n)
            C[i] = part[now][t] + part[now][63 - t];
        i = next;
    }
}
