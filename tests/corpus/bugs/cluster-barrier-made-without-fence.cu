// Nothing but a relaxed arrival stands between the barrier and who arrives at it from the other block: it need not be one there yet.
// launch: grid=2 block=1 args: in=2:arange out=1
// finding: data-race 21 25

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__device__ unsigned in_block(unsigned address, unsigned rank)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

__global__ __cluster_dims__(2, 1, 1) void send(const float* in, float* out)
{
    __shared__ float s;
    __shared__ unsigned long long full;
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (rank == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(AT(&full)) : "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (rank == 1) {
        asm volatile("st.shared::cluster.f32 [%0], %1;" :: "r"(in_block(AT(&s), 0)), "f"(in[1]) : "memory");
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(in_block(AT(&full), 0)) : "memory");
    } else {
        asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0; @!p bra L; }" :: "r"(AT(&full)) : "memory");
        out[0] = s;
    }
}
