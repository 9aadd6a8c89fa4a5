// The column runs one past the row: all but the last row stay inside the array.
// launch: grid=1 block=16,15 args: in=256:arange out=240
// finding: out-of-bounds 13

__global__ void columns(const float* in, float* out)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];
    if (y == 0)
        tile[15][x] = in[240 + x];
    __syncthreads();
    out[y * 16 + x] = tile[y][x + 1];
}
