// Threads past the end return at once.
// launch: grid=3 block=32 args: in=80:arange out=80 n=80
// finding: none

__global__ void copy(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = in[i];
}
