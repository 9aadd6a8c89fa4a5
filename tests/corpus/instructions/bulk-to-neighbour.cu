// A block copies a stretch of its shared memory into that of the next one in the cluster, in bulk.
// launch: grid=8 block=64 args: in=512:arange out=512
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

__global__ __cluster_dims__(4, 1, 1) void pass_on(const float* in, float* out)
{
    __shared__ __align__(128) float mine[64], theirs[64];
    __shared__ u64 full;
    int t = threadIdx.x, i = blockIdx.x * 64 + t, next = (blockIdx.x + 1) % 4;
    mine[63 - t] = in[i] * 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (t == 0)
        expect(&full, sizeof theirs);
    meet();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
            :: "r"(there(theirs, next)), "r"(at(mine)), "r"((int)sizeof mine), "r"(there(&full, next)) : "memory");
    wait(&full);
    out[i] = theirs[t];
    meet();
}
