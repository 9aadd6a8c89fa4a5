// Two warps fill, the third empties; each side arrives at the other's barrier.
// launch: grid=1 block=96 args: out=96
// finding: none

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__global__ void halves(float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x, warp = t / 32;
    for (int i = 0; i < 3; ++i)
        if (warp < 2) {
            s[t] = i + t;
            asm volatile("bar.arrive 1, 96;" ::: "memory");
            asm volatile("bar.sync 2, 96;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 96;" ::: "memory");
            out[i * 32 + t % 32] = s[t % 32] + s[t % 32 + 32];
            asm volatile("bar.sync 2, 96;" ::: "memory");
        }
}
