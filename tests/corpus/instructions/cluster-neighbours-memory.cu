// A block writes into the shared memory of the other block of its cluster: mapa gives the address there.
// launch: grid=4 block=32 args: in=128:arange out=128
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ __cluster_dims__(2, 1, 1) void swap(const float* in, float* out)
{
    __shared__ float kept[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    unsigned rank, there;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(&kept[t])), "r"(rank ^ 1));
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    asm volatile("st.shared::cluster.f32 [%0], %1;" :: "r"(there), "f"(in[i]) : "memory");
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    out[i] = kept[t];
}
