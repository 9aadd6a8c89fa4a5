// One barrier, two pairs of warps: what the first warp stores between the two meetings is at the next phase, for which the second waits not.
// launch: grid=1 block=96 args: out=64
// finding: data-race 13 17

__global__ void pairs(float* out)
{
    __shared__ float s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t < 32) {
        s[lane] = t;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
        s[lane] = t + 100;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = s[31 - lane];
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - 32] = s[31 - lane];
    }
}
