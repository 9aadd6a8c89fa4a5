// A block stores into another and arrives at a barrier there, which the other waits for.
// launch: grid=2 block=32 args: in=32:arange out=32
// finding: none

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__device__ unsigned in_block(unsigned address, unsigned rank)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

__global__ __cluster_dims__(2, 1, 1) void send(const float* in, float* out)
{
    __shared__ float s[32];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(AT(&full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;\nbarrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (rank == 1) {
        asm volatile("st.shared::cluster.f32 [%0], %1;" :: "r"(in_block(AT(&s[t]), 0)), "f"(in[t]) : "memory");
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(in_block(AT(&full), 0)) : "memory");
    } else {
        asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0; @!p bra L; }" :: "r"(AT(&full)) : "memory");
        out[t] = s[31 - t];
    }
}
