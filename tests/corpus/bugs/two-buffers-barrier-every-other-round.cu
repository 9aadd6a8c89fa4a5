// The barrier stands in every other round only.
// launch: grid=1 block=64 args: in=320:arange out=64 tiles=4
// finding: data-race 14 17

__global__ void sums(const float* in, float* out, int tiles)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    s[0][t] = in[t];
    __syncthreads();
    for (int tile = 0; tile < tiles; ++tile) {
        int next = (tile + 1) % 2;
        s[next][t] = in[(tile + 1) * 64 + t];
        if (tile % 2 == 0)
            __syncthreads();
        sum += s[tile % 2][63 - t];
    }
    out[t] = sum;
}
