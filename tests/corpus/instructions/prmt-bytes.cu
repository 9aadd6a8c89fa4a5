// The bytes of two words are put together anew: 0x0123 turns a word round, 0x5410 takes two lower halves.
// launch: grid=1 block=32 args: a=32:arange b=32:arange out=64
// finding: none

__global__ void permute(const unsigned* a, const unsigned* b, unsigned* out)
{
    int t = threadIdx.x;
    unsigned x = a[t] * 0x01020304u, y = b[t] + 0xa0b0c0d0u, turned, joined;
    asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(turned) : "r"(x), "r"(y));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(joined) : "r"(x), "r"(y));
    out[t] = turned;
    out[32 + t] = joined;
}
