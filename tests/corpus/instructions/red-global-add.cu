// A reduction in global memory that returns nothing.
// launch: grid=2 block=64 args: in=128:arange out=4:zeros
// finding: none

__global__ void add(const unsigned* in, unsigned* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("red.global.add.u32 [%0], %1;" :: "l"(&out[i % 4]), "r"(in[i]) : "memory");
}
