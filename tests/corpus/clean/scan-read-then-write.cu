// An inclusive scan in place with a barrier between reading and writing.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: none

__global__ void scan(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int by = 1; by < 64; by *= 2) {
        int other = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += other;
        __syncthreads();
    }
    out[t] = s[t];
}
