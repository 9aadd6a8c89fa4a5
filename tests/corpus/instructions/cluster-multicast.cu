// Four blocks of a cluster share what they read: each asks for half a tile of A, which goes to both blocks of its row, and for half a tile
// of B, which goes to both of its column. Two stages; a stage is asked for again when all who get it have read it.
// launch: grid=2,2 block=256 args: A=1536:arange B=1536:arange C=1024
// finding: none

#define TILE 16
#define STEPS 3
#define HALF (TILE / 2 * TILE)
typedef unsigned long long u64;

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned rank()
{
    unsigned found;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(found));
    return found;
}

__device__ void meet()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ void wait(u64* barrier, int parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(at(barrier)), "r"(parity) : "memory");
    while (!done);
}

// Tells another block of the cluster that this one has read a stage.
__device__ void release(u64* barrier, unsigned block)
{
    asm volatile("{\n.reg .u32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" :: "r"(at(barrier)), "r"(block) : "memory");
}

__device__ void copy_to(const float* to, const float* from, u64* barrier, unsigned blocks)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
        :: "r"(at(to)), "l"(from), "r"(HALF * 4), "r"(at(barrier)), "h"((short)blocks) : "memory");
}

// C = A * B, of 32 x 48 and 48 x 32. A lies in panels of 16 columns, row by row; B in panels of 16 rows, column by column.
__global__ __cluster_dims__(2, 2, 1) void shared_tiles(const float* A, const float* B, float* C)
{
    __shared__ __align__(128) float As[2][TILE][TILE], Bs[2][TILE][TILE];
    __shared__ u64 full[2], empty[2];
    int t = threadIdx.x, x = blockIdx.x, y = blockIdx.y;

    for (int s = 0; s < 2 && t == 0; ++s)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nmbarrier.init.shared::cta.b64 [%1], 3;\n"
            "fence.mbarrier_init.release.cluster;" :: "r"(at(&full[s])), "r"(at(&empty[s])) : "memory");
    __syncthreads();
    meet();

    float sum = 0.0f;
    for (int step = 0; step < STEPS; ++step) {
        int s = step % 2;
        if (t == 0) {
            wait(&empty[s], step / 2 & 1 ^ 1);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                :: "r"(at(&full[s])), "r"(4 * HALF * 4) : "memory");
            copy_to(&As[s][x * 8][0], A + (step * 32 + y * TILE + x * 8) * TILE, &full[s], 3 << 2 * y);
            copy_to(&Bs[s][y * 8][0], B + (step * 32 + x * TILE + y * 8) * TILE, &full[s], 5 << x);
        }
        wait(&full[s], step / 2 & 1);
        for (int k = 0; k < TILE; ++k)
            sum += As[s][t / TILE][k] * Bs[s][t % TILE][k];
        __syncthreads();
        if (t == 0) {
            release(&empty[s], rank());
            release(&empty[s], rank() ^ 1);
            release(&empty[s], rank() ^ 2);
        }
    }
    C[(y * TILE + t / TILE) * 32 + x * TILE + t % TILE] = sum;
    meet();
}
