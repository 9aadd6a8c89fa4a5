// Threads count into the same bin without an atomic.
// launch: grid=2 block=64 args: in=128:random out=32:zeros
// finding: data-race 12 12

__global__ void histogram(const unsigned char* in, unsigned* out)
{
    __shared__ unsigned bins[16];
    int t = threadIdx.x;
    if (t < 16)
        bins[t] = 0;
    __syncthreads();
    bins[in[blockIdx.x * 64 + t] & 15]++;
    __syncthreads();
    if (t < 16)
        out[blockIdx.x * 16 + t] = bins[t];
}
