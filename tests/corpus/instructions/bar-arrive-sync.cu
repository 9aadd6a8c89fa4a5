// The warp that fills arrives and goes on; the one that uses waits at the same barrier.
// launch: grid=1 block=64 args: in=32:arange out=32
// finding: none

__global__ void hand_over(const float* in, float* out)
{
    __shared__ float kept[32];
    int t = threadIdx.x;
    if (t < 32) {
        kept[t] = in[t];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t - 32] = kept[63 - t];
    }
}
