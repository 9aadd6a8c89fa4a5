// A value read from memory decides for all threads alike.
// launch: grid=1 block=64 args: in=64:arange switches=1:arange out=64
// finding: none

__global__ void optional(const int* in, const int* switches, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (switches[0] == 0)
        __syncthreads();
    out[t] = switches[0] == 0 ? s[63 - t] : 0;
}
