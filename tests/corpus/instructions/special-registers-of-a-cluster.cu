// What a thread is told of its cluster and of its block's place in it.
// launch: grid=4,2 block=32 args: out=2304
// finding: none

#define ASK(place, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(answers[place]))

__global__ __cluster_dims__(2, 2, 1) void ask(unsigned* out)
{
    unsigned answers[9];
    ASK(0, "cluster_ctarank");
    ASK(1, "cluster_nctarank");
    ASK(2, "cluster_ctaid.x");
    ASK(3, "cluster_ctaid.y");
    ASK(4, "cluster_nctaid.x");
    ASK(5, "cluster_nctaid.y");
    ASK(6, "clusterid.x");
    ASK(7, "nclusterid.x");
    ASK(8, "nclusterid.y");
    for (int i = 0; i < 9; ++i)
        out[((blockIdx.y * 4 + blockIdx.x) * 32 + threadIdx.x) * 9 + i] = answers[i];
}
