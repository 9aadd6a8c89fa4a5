// Addresses of shared memory in a cluster: the upper byte is the rank of the block in whose shared memory they lie, in the own one too.
// launch: grid=4 block=32 args: out=80
// finding: none

typedef unsigned long long u64;

__device__ u64 generic_to_rank(const void* p, int rank)
{
    u64 to;
    asm("mapa.u64 %0, %1, %2;" : "=l"(to) : "l"(p), "r"(rank));
    return to;
}

__device__ u64 to_shared(u64 generic)
{
    u64 to;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(to) : "l"(generic));
    return to;
}

__device__ unsigned to_rank(unsigned address, int rank)
{
    unsigned to;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(address), "r"(rank));
    return to;
}

__device__ void meet()
{
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

__global__ __cluster_dims__(4, 1, 1) void addresses(unsigned* out)
{
    __shared__ unsigned kept[32];
    int t = threadIdx.x, rank = blockIdx.x % 4;
    unsigned own = (unsigned)__cvta_generic_to_shared(kept), found[20];
    kept[t] = 100 * rank + t;
    meet();

    found[0] = own >> 24;
    found[1] = 0;
    for (int r = 0; r < 4; ++r) {
        found[1] += (to_rank(own, r) & 0xFFFFFF) == (own & 0xFFFFFF);
        found[2 + r] = to_rank(own, r) >> 24;
        found[6 + r] = to_shared(generic_to_rank(kept, r)) >> 24;
    }
    found[10] = to_rank(own, rank) == own;
    u64 back;
    asm("cvta.shared.u64 %0, %1;" : "=l"(back) : "l"((u64)own));
    found[11] = back == (u64)kept;
    found[12] = to_shared(generic_to_rank(kept, 3)) == to_rank(own, 3);
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(found[13]) : "r"(own));
    asm("getctarank.u64 %0, %1;" : "=r"(found[14]) : "l"(generic_to_rank(kept, 2)));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(found[15]) : "r"(own + 4));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(found[16]) : "r"((own & 0xFFFFFF) + 4));
    asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(found[17]) : "r"(own + 4));
    asm("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(found[18]) : "l"(generic_to_rank(kept, rank ^ 1)));
    asm("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(found[19]) : "l"(generic_to_rank(kept, rank ^ 1)));
    if (t == 0)
        for (int i = 0; i < 20; ++i)
            out[blockIdx.x * 20 + i] = found[i];
    meet();
}
