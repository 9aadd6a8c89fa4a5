// Neighbours in a warp exchange values through shared memory without __syncwarp.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: data-race 9 10

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[t ^ 1];
}
