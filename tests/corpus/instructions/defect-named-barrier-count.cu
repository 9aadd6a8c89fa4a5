// One warp waits at barrier 1 for 64 threads, the other went to barrier 2.
// launch: grid=1 block=64 args: in=64:arange out=64 budget: 1
// finding: deadlock 10

__global__ void pair(const float* in, float* out)
{
    __shared__ float kept[64];
    int t = threadIdx.x;
    kept[t] = in[t];
    asm volatile("bar.sync %0, 64;" :: "r"(t / 32 + 1) : "memory");
    out[t] = kept[63 - t];
}
