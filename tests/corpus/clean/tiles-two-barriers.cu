// A tile is loaded and read in turn, with two barriers.
// launch: grid=1 block=64 args: in=192:arange out=64 tiles=3
// finding: none

__global__ void sums(const float* in, float* out, int tiles)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        s[t] = in[tile * 64 + t];
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    out[t] = sum;
}
