// Four blocks of a cluster add stretches of their shared memory to that of the first, in bulk, and look for the least.
// launch: grid=4 block=32 args: in=128:arange out=64
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

#define UPDATE(how, to) asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." how \
    " [%0], [%1], 128, [%2];" :: "r"(there(to, 0)), "r"(at(mine)), "r"(there(&full, 0)) : "memory")

__global__ __cluster_dims__(4, 1, 1) void sum_up(const int* in, int* out)
{
    __shared__ __align__(128) int mine[32], sums[32], least[32];
    __shared__ u64 full;
    int t = threadIdx.x;
    mine[t] = in[blockIdx.x * 32 + t] * 40503 % 1000 - 500;
    sums[t] = least[t] = 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (t == 0 && blockIdx.x == 0)
        expect(&full, 1024);
    meet();
    if (t == 0) {
        UPDATE("add.s32", sums);
        UPDATE("min.s32", least);
    }
    if (blockIdx.x == 0) {
        wait(&full);
        out[t] = sums[t];
        out[32 + t] = least[t];
    }
    meet();
}
