// An inclusive scan that reads one buffer and writes the other.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: none

__global__ void scan(const int* in, int* out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int by = 1; by < 64; by *= 2) {
        s[1 - from][t] = t >= by ? s[from][t] + s[from][t - by] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[t] = s[from][t];
}
