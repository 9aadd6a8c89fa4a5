// Four blocks of a cluster update the shared memory of its first out of registers, itself among them.
// launch: grid=4 block=32 args: in=128:arange out=256
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

#define UPDATE(how, to, x) asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." how " [%0], %1, [%2];" \
    :: "r"(there(to, 0)), "r"(x), "r"(there(&full, 0)) : "memory")

__global__ __cluster_dims__(4, 1, 1) void send(const unsigned* in, unsigned* out)
{
    __shared__ unsigned kept[8][32];
    __shared__ u64 full;
    int t = threadIdx.x;
    unsigned x = in[blockIdx.x * 32 + t] * 2654435761u;
    for (int i = 0; i < 8; ++i)
        kept[i][t] = i == 1 || i == 3 || i == 4 ? 0x7fffffffu : 0;
    __syncthreads();
    if (t == 0 && blockIdx.x == 0)
        expect(&full, 4 * sizeof kept);
    meet();
    UPDATE("add.u32", &kept[0][t], x);
    UPDATE("min.u32", &kept[1][t], x);
    UPDATE("max.u32", &kept[2][t], x);
    UPDATE("min.s32", &kept[3][t], x);
    UPDATE("and.b32", &kept[4][t], x);
    UPDATE("or.b32", &kept[5][t], x);
    UPDATE("xor.b32", &kept[6][t], x);
    UPDATE("inc.u32", &kept[7][t], 2u);
    if (blockIdx.x == 0) {
        wait(&full);
        for (int i = 0; i < 8; ++i)
            out[i * 32 + t] = kept[i][t];
    }
    meet();
}
