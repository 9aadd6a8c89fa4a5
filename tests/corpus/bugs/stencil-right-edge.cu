// A stencil reads one element past the end.
// launch: grid=2 block=32 args: in=64:arange out=64 n=64
// finding: out-of-bounds 9

__global__ void difference(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + 1]
            - in[i];
}
