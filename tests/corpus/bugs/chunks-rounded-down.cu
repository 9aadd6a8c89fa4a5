// The number of chunks is (n + 1) / threads, not (n + threads - 1) / threads: the end is never loaded.
// launch: grid=1 block=32 args: in=100:arange out=100 n=100
// finding: uninitialised-read 14

__global__ void reverse(const float* in, float* out, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    int chunks = (n + 1) / blockDim.x;
    for (int c = 0; c < chunks; ++c)
        s[c * 32 + t] = in[c * 32 + t];
    __syncthreads();
    for (int i = t; i < n; i += 32)
        out[i] = s[n - 1 - i];
}
