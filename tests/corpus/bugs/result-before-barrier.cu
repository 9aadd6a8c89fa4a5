// The first thread takes the result of the other warp too early.
// launch: grid=1 block=64 args: in=64:random out=1
// finding: data-race 12 14

__global__ void reduce(const float* in, float* out)
{
    __shared__ float partial[2];
    float v = in[threadIdx.x];
    for (int by = 16; by > 0; by /= 2)
        v += __shfl_down_sync(0xffffffff, v, by);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = v;
    if (threadIdx.x == 0)
        out[0] = partial[0] + partial[1];
}
