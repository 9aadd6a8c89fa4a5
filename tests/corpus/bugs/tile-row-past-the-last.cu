// The row index reaches the number of rows.
// launch: grid=1 block=16,16 args: in=256:arange out=256
// finding: out-of-bounds 11

__global__ void rows(const float* in, float* out)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];
    __syncthreads();
    out[y * 16 + x] = tile[y + 1][x];
}
