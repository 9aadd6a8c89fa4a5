// One lane of each warp is elected, whichever it is, and counts for all.
// launch: grid=1 block=96 args: out=1:zeros
// finding: none

__global__ void elect(unsigned* out)
{
    unsigned chosen;
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(chosen));
    if (chosen)
        atomicAdd(out, 32);
}
