// Reductions of two halves in a register, and of eight side by side: sums, and the largest.
// launch: grid=2 block=8 args: in=32:arange out=80:zeros
// finding: none

#include <cuda_fp16.h>

__global__ void update(const __half* in, __half* out)
{
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    unsigned pair = ((const unsigned*)in)[i];
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" :: "l"(out + t * 2), "r"(pair) : "memory");
    asm volatile("red.global.v4.f16x2.max.noftz [%0], {%1, %1, %1, %1};" :: "l"(out + 16 + t * 8), "r"(pair) : "memory");
}
