// What a thread is told of its warp, its lane's neighbours, its block and the grid.
// launch: grid=2,3 block=8,8 args: out=6144
// finding: none

#define ASK(place, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(answers[place]))

__global__ void ask(unsigned* out)
{
    unsigned answers[16];
    ASK(0, "tid.x");
    ASK(1, "tid.y");
    ASK(2, "tid.z");
    ASK(3, "ntid.x");
    ASK(4, "ntid.y");
    ASK(5, "ctaid.x");
    ASK(6, "ctaid.y");
    ASK(7, "nctaid.x");
    ASK(8, "nctaid.y");
    ASK(9, "laneid");
    ASK(10, "lanemask_eq");
    ASK(11, "lanemask_le");
    ASK(12, "lanemask_gt");
    ASK(13, "lanemask_ge");
    ASK(14, "nctaid.z");
    asm volatile("mov.u32 %0, WARP_SZ;" : "=r"(answers[15]));
    int block = blockIdx.y * 2 + blockIdx.x, t = threadIdx.y * 8 + threadIdx.x;
    for (int i = 0; i < 16; ++i)
        out[(block * 64 + t) * 16 + i] = answers[i];
}
