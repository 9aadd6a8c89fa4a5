// What a thread can ask of the hardware: its lane, its block, the mask of the lanes below.
// launch: grid=2 block=64 args: out=384
// finding: none

__global__ void ask(unsigned* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane, below, block;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    out[i * 3] = lane;
    out[i * 3 + 1] = below;
    out[i * 3 + 2] = block;
}
