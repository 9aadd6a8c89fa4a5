// Threads that have returned do not count at a barrier.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: none

__global__ void half(const int* in, int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t >= 32)
        return;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[31 - t];
}
