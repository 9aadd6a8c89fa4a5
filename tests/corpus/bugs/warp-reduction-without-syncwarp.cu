// The last warp reduces without __syncwarp, as was common before Volta.
// launch: grid=1 block=32 args: in=32:random out=1
// finding: data-race 13 14
// finding: data-race 14 14

__global__ void reduce(const float* in, float* out)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    if (t < 16) {
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    if (t == 0)
        out[0] = s[0];
}
