// A fence stands where the block should have met.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 9 11

__global__ void reverse(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __threadfence();
    out[t] = s[63 - t];
}
