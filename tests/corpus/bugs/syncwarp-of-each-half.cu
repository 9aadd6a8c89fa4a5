// Each half of a warp names only itself, so the sums of the two halves are added before both are there.
// launch: grid=1 block=32 args: in=32:arange out=1
// finding: data-race 16 11
// finding: data-race 16 13

__global__ void total(const float* in, float* out)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0x0000ffffu : 0xffff0000u;
    s[t] = in[t];
    for (int step = 8; step > 0; step /= 2) {
        __syncwarp(half); if (t % 16 < step) s[t] += s[t + step];
    }
    __syncwarp(half);
    if (t == 0) out[0] = s[0] + s[16];
}
