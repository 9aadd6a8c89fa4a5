// Each half of a warp reduces under its own mask; the whole warp meets before the two sums are added.
// launch: grid=1 block=64 args: in=64:arange out=2
// finding: none

__global__ void total(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x, lane = t % 32;
    unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    s[t] = in[t];
    for (int step = 8; step > 0; step /= 2) {
        __syncwarp(half);
        float other = s[lane % 16 < step ? t + step : t];
        __syncwarp(half);
        if (lane % 16 < step) s[t] += other;
    }
    __syncwarp();
    if (lane == 0) out[t / 32] = s[t] + s[t + 16];
}
