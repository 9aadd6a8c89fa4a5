// The padding column of a tile is inside the array, but holds nothing.
// launch: grid=1 block=16,16 args: in=256:arange out=256
// finding: uninitialised-read 11

__global__ void padded(const float* in, float* out)
{
    __shared__ float tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];
    __syncthreads();
    out[y * 16 + x] = tile[y][x + 1];
}
