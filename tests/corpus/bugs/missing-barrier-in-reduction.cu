// A tree reduction without a barrier between its levels.
// launch: grid=2 block=128 args: in=256:random out=2
// finding: data-race 13 13

__global__ void reduce(const float* in, float* out)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int half = 64; half > 0; half >>= 1)
        if (t < half)
            s[t] += s[t + half];
    if (t == 0)
        out[blockIdx.x] = s[0];
}
