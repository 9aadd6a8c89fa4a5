// A stencil with its halo loaded, zero past the ends.
// launch: grid=3 block=32 args: in=90:arange out=90 n=90
// finding: none

__global__ void halo(const float* in, float* out, int n)
{
    __shared__ float s[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        s[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 31)
        s[33] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = s[t] + s[t + 1] + s[t + 2];
}
