// Bins are counted before all of them are zero.
// launch: grid=1 block=64 args: in=64:random out=64
// finding: data-race 9 10

__global__ void count(const unsigned char* in, unsigned* out)
{
    __shared__ unsigned bins[64];
    int t = threadIdx.x;
    bins[t] = 0;
    atomicAdd(&bins[in[t] & 63], 1u);
    __syncthreads();
    out[t] = bins[t];
}
