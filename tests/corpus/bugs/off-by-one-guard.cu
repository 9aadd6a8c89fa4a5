// The guard admits the element after the last.
// launch: grid=3 block=32 args: in=80:arange out=80 n=80
// finding: out-of-bounds 10
// finding: out-of-bounds 11

__global__ void copy(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        float v = in[i];
        out[i] = v;
    }
}
