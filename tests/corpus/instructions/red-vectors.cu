// Reductions of two and of four floats side by side, which return nothing; two blocks update the same places.
// launch: grid=2 block=32 args: in=64:arange out=192:zeros
// finding: none

__global__ void add(const float* in, float* out)
{
    int t = threadIdx.x;
    float x = in[blockIdx.x * 32 + t];
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" :: "l"(out + t * 2), "f"(x), "f"(x * 2) : "memory");
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};"
        :: "l"(out + 64 + t * 4), "f"(x), "f"(x + 1), "f"(x + 2), "f"(x + 3) : "memory");
}
