// Dynamic shared memory as large as the launch gives it.
// launch: grid=1 block=64 shared=256 args: in=64:arange out=64
// finding: none

extern __shared__ float s[];

__global__ void reverse(const float* in, float* out)
{
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
