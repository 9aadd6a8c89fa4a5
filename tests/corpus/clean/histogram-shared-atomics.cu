// Blocks count in shared memory and add their counts up.
// launch: grid=2 block=64 args: in=128:random out=16:zeros
// finding: none

__global__ void histogram(const unsigned char* in, unsigned* out)
{
    __shared__ unsigned bins[16];
    int t = threadIdx.x;
    if (t < 16)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * 64 + t] & 15], 1u);
    __syncthreads();
    if (t < 16)
        atomicAdd(&out[t], bins[t]);
}
