// Reductions of bfloat16: of one, of two in a register, and of pairs side by side.
// launch: grid=2 block=8 args: in=32:arange out=80:zeros
// finding: none

__global__ void update(const int* in, unsigned short* out)
{
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    unsigned low = __float_as_uint((float)in[i * 2]) >> 16, high = __float_as_uint((float)in[i * 2 + 1]) >> 16;
    asm volatile("red.global.add.noftz.bf16 [%0], %1;" :: "l"(out + t), "h"((unsigned short)low) : "memory");
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" :: "l"(out + 8 + t * 2), "r"(low | high << 16) : "memory");
    asm volatile("red.global.v2.bf16x2.max.noftz [%0], {%1, %2};"
        :: "l"(out + 24 + t * 4), "r"(low | high << 16), "r"(high | low << 16) : "memory");
    asm volatile("red.global.v2.bf16x2.min.noftz [%0], {%1, %2};"
        :: "l"(out + 56 + t % 6 * 4), "r"(0x8000 | low | high << 16), "r"(high | 0x80000000 | low << 16) : "memory");
}
