// The halo on the left of the first block lies before the array.
// launch: grid=2 block=32 args: in=64:arange out=64
// finding: out-of-bounds 11

__global__ void halo(const float* in, float* out)
{
    __shared__ float s[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t + 1] = in[i];
    if (t == 0)
        s[0] = in[i - 1];
    if (t == 31)
        s[33] = i + 1 < 64 ? in[i + 1] : 0.0f;
    __syncthreads();
    out[i] = s[t] + s[t + 1] + s[t + 2];
}
