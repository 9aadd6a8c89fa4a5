// An inclusive scan updates in place: a thread may read its neighbour before or after the update.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 13 13

__global__ void scan(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int by = 1; by < 64; by *= 2) {
        if (t >= by)
            s[t] += s[t - by];
        __syncthreads();
    }
    out[t] = s[t];
}
