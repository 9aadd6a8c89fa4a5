// Any function of three bits in one instruction: the table 0xe8 is the majority, 0x96 the parity.
// launch: grid=1 block=32 args: a=32:arange b=32:arange c=32:arange out=64
// finding: none

__global__ void logic(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out)
{
    int t = threadIdx.x;
    unsigned majority, parity;
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(majority) : "r"(a[t] * 0x9e3779b1u), "r"(b[t] * 0x85ebca77u), "r"(c[t] * 0xc2b2ae3du));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(parity) : "r"(a[t] * 0x9e3779b1u), "r"(b[t] * 0x85ebca77u), "r"(c[t] * 0xc2b2ae3du));
    out[t] = majority;
    out[32 + t] = parity;
}
