// Loads that keep no place in the first cache, and stores that are written through: the values are the same.
// launch: grid=2 block=32 args: in=64:arange out=64
// finding: none

__global__ void copy(const unsigned* in, unsigned* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x;
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(x) : "l"(&in[i]));
    asm volatile("st.global.cs.u32 [%0], %1;" :: "l"(&out[i]), "r"(x * 3) : "memory");
}
