// A thread reads what it has written itself: no barrier is needed.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: none

__global__ void own(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t] *= 2;
    s[t] += 1;
    out[t] = s[t];
}
