// Every other element of dynamic shared memory is loaded.
// launch: grid=1 block=32 shared=256 args: in=32:arange out=32
// finding: uninitialised-read 11

__global__ void spread(const float* in, float* out)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[2 * t] = in[t];
    __syncthreads();
    out[t] = s[63 - 2 * t];
}
