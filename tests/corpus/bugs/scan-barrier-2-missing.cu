// A scan in place: the barrier between the steps is missing.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 12 14

__global__ void scan(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        int before = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += before;
    }
    out[t] = s[t];
}
