// Two pairs of warps meet at barriers of their own, with the ids 1 and 2.
// launch: grid=1 block=128 args: in=128:arange out=128
// finding: none

__global__ void pairs(const float* in, float* out)
{
    __shared__ float kept[128];
    int t = threadIdx.x, pair = t / 64;
    kept[t] = in[t];
    asm volatile("bar.sync %0, 64;" :: "r"(pair + 1) : "memory");
    out[t] = kept[pair * 64 + 63 - t % 64];
}
