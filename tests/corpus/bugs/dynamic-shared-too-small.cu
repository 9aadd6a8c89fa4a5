// The launch gives half of the shared memory that the kernel uses.
// launch: grid=1 block=64 shared=128 args: in=64:arange out=64
// finding: out-of-bounds 9

__global__ void stage(const float* in, float* out)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = in[t];
    out[t] = 2.0f * in[t];
}
