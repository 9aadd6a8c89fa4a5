// One barrier, two pairs of warps: each pair has a buffer of its own.
// launch: grid=1 block=96 args: out=64
// finding: none

__global__ void pairs(float* out)
{
    __shared__ float s[2][32];
    int t = threadIdx.x, lane = t % 32;
    if (t < 32) {
        s[0][lane] = t;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
        s[1][lane] = t + 100;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = s[0][31 - lane];
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - 32] = s[1][31 - lane];
    }
}
