// Bins are read before all have counted.
// launch: grid=1 block=64 args: in=64:random out=64
// finding: data-race 11 12

__global__ void count(const unsigned char* in, unsigned* out)
{
    __shared__ unsigned bins[64];
    int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] & 63], 1u);
    out[t] = bins[t];
}
