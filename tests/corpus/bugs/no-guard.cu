// The grid is rounded up, but nothing keeps the threads past the end away.
// launch: grid=3 block=32 args: in=80:arange out=96 n=80
// finding: out-of-bounds 8

__global__ void copy(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    out[i] = v;
}
