// A block reads from another before they have met: it may not have begun.
// launch: grid=2 block=32 args: out=64
// finding: out-of-bounds 18
// finding: data-race 14 18

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__global__ __cluster_dims__(2, 1, 1) void exchange(float* out)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    unsigned rank, there;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    s[t] = 100 * rank + t;
    
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(AT(&s[t])), "r"(rank ^ 1));
    float x;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(x) : "r"(there) : "memory");
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    out[blockIdx.x * 32 + t] = x;
}
