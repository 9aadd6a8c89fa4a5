// The warpgroup that only asks for copies gives registers back, the one that computes takes them.
// launch: grid=1 block=256 args: in=128:arange out=128
// finding: none

__global__ __launch_bounds__(256, 1) void shares(const float* in, float* out)
{
    __shared__ float kept[128];
    int t = threadIdx.x;
    if (t >= 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        kept[t - 128] = in[t - 128];
        asm volatile("bar.arrive 1, 256;" ::: "memory");
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    asm volatile("bar.sync 1, 256;" ::: "memory");
    out[t] = kept[127 - t] * 2;
}
