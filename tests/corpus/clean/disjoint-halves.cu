// Two groups of threads work on two halves of one array.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: none

__global__ void halves(const int* in, int* out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < 32)
        s[t] = in[t];
    else
        s[64 + t] = -in[t];
    out[t] = t < 32 ? s[t] : s[64 + t];
}
