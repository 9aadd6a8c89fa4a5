// The sums of the warps are added before all have been stored.
// launch: grid=2 block=128 args: in=256:arange out=256
// finding: data-race 10 12

__global__ void sum(const int* in, int* out)
{
    __shared__ int sums[4], all;
    int t = threadIdx.x, v = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 128 + t]);
    if (t % 32 == 0)
        sums[t / 32] = v;
    if (t == 0)
        all = sums[0] + sums[1] + sums[2] + sums[3];
    __syncthreads();
    out[blockIdx.x * 128 + t] = all;
}
