// The guard keeps the threads past the end away.
// launch: grid=3 block=32 args: in=80:arange out=80 n=80
// finding: none

__global__ void copy(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
