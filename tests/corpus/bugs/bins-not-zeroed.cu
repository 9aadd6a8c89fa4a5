// Shared counters are added to without having been set to zero.
// launch: grid=1 block=64 args: in=64:random out=8
// finding: uninitialised-read 9

__global__ void histogram(const unsigned char* in, unsigned* out)
{
    __shared__ unsigned bins[8];
    int t = threadIdx.x;
    atomicAdd(&bins[in[t] & 7], 1u);
    __syncthreads();
    if (t < 8)
        out[t] = bins[t];
}
