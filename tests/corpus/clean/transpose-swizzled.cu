// A transpose whose tile is swizzled by exclusive or.
// launch: grid=2,2 block=16,16 args: in=1024:arange out=1024
// finding: none

__global__ void transpose(const float* in, float* out)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x ^ y] = in[(blockIdx.y * 16 + y) * 32 + blockIdx.x * 16 + x];
    __syncthreads();
    out[(blockIdx.x * 16 + y) * 32 + blockIdx.y * 16 + x] = tile[x][y ^ x];
}
