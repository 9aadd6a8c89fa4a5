// Half of the shared counters are set to zero.
// launch: grid=1 block=64 args: in=64:arange out=16
// finding: uninitialised-read 12

__global__ void histogram(const int* in, unsigned* out)
{
    __shared__ unsigned bins[16];
    int t = threadIdx.x;
    if (t < 8)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] & 15], 1u);
    __syncthreads();
    if (t < 16)
        out[t] = bins[t];
}
