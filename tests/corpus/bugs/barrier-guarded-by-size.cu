// The guard for the edge encloses the barrier.
// launch: grid=2 block=64 args: in=100:arange out=100 n=100
// finding: barrier-divergence 11

__global__ void shifted(const float* in, float* out, int n)
{
    __shared__ float s[65];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        s[t] = in[i];
        __syncthreads();
        out[i] = t > 0 ? s[t - 1] : s[t];
    }
}
