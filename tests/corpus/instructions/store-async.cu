// Each lane stores out of its registers into the other block of the cluster, one value, two and four: the bytes complete a barrier there.
// launch: grid=4 block=32 args: in=896:arange out=896
// finding: none

typedef unsigned long long u64;

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// The same address in another block of the cluster.
__device__ unsigned there(const void* p, unsigned block)
{
    unsigned found;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(found) : "r"(at(p)), "r"(block));
    return found;
}

__device__ void meet()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// One arrival completes a phase, and as many bytes as it says.
__device__ void expect(u64* barrier, int bytes)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(barrier)), "r"(bytes) : "memory");
}

__device__ void wait(u64* barrier)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(at(barrier)) : "memory");
    while (!done);
}

#define TX "shared::cluster.mbarrier::complete_tx::bytes"

__global__ __cluster_dims__(2, 1, 1) void send(const float* in, float* out)
{
    __shared__ __align__(16) float kept[7 * 32];
    __shared__ u64 full;
    int t = threadIdx.x, other = blockIdx.x % 2 ^ 1;
    const float* mine = in + blockIdx.x * 224 + t * 7;
    if (t == 0)
        expect(&full, sizeof kept);
    meet();
    unsigned barrier = there(&full, other);
    asm volatile("st.async." TX ".f32 [%0], %1, [%2];" :: "r"(there(&kept[t], other)), "f"(mine[0]), "r"(barrier) : "memory");
    asm volatile("st.async." TX ".v2.f32 [%0], {%1, %2}, [%3];"
        :: "r"(there(&kept[32 + t * 2], other)), "f"(mine[1]), "f"(mine[2]), "r"(barrier) : "memory");
    asm volatile("st.async." TX ".v4.f32 [%0], {%1, %2, %3, %4}, [%5];"
        :: "r"(there(&kept[96 + t * 4], other)), "f"(mine[3]), "f"(mine[4]), "f"(mine[5]), "f"(mine[6]), "r"(barrier) : "memory");
    wait(&full);
    for (int i = t; i < 224; i += 32)
        out[blockIdx.x * 224 + i] = kept[i];
    meet();
}
