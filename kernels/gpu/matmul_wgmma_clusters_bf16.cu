// Matrix multiplication on Hopper's tensor cores: blocks share
// what they fetch, stay, and round A and B beside the products.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   first     some of A, B --> T  for the first tiles
//   packers   the others ----> T  beside the products, 3 warps
//   producer  T -----> stage      cp.async.bulk, 1 warp
//   consumers          stage ---> tensor cores   wgmma
//
// A brick is 64 rows of 64 numbers, as they lie in A or in B,
// pieces of 16 bytes exchanged by x ^ row % 8: wgmma takes both.
// T has the bricks of 64 steps of k side by side: two copies do.
// The tiles of a cluster lie one below another and need the same
// columns of B: each block fetches its share for all (multicast).
// A stage is empty when consumers of every block have read it.
//
// Rounding needs memory, products need tensor cores: as little
// as possible comes first, and blocks are placed meanwhile. A
// packer takes a number, the next brick in the order in which
// tiles ask for it, and counts it in its panel, rows of A or
// columns of B of a tile. Producers wait for panels; who has a
// number waits for nobody, so no block needs another to run.
//
// What limits it now: power. A full H200 goes at 1.6 GHz.
// Needs compute capability 9.0.
// Launch: pack_first, a block a brick of the first GROUP rows of
// panels and the columns that clusters begin with; 2 * TILE_M +
// 128 threads a block, as many blocks as run at once. Dynamic
// shared memory: STAGES times a step's bricks and two barriers.

#include <cuda_bf16.h>
#ifndef TILE_M
#define TILE_M 64
#endif
#ifndef TILE_N
#define TILE_N 128
#endif
#ifndef STAGES
#define STAGES 8
#endif
#define CLUSTER 2 // blocks
#define SIDE 64
#define BRICK (SIDE * SIDE * 2) // bytes
#define A_BYTES (TILE_M / SIDE * BRICK) // of a stage
#define B_BYTES (TILE_N / SIDE * BRICK)
#define SHARE (B_BYTES / CLUSTER)
#define STAGE (A_BYTES + B_BYTES)
#define HIGH (CLUSTER * TILE_M) // rows of a cluster
#define A_PANEL (HIGH / SIDE) // bricks
#define B_PANEL (TILE_N / SIDE)
#define CONSUMERS (2 * TILE_M)
#define GROUP 8 // rows of clusters that are computed together
#define PTX(what) asm volatile(what ";" ::: "memory")
typedef unsigned long long u64;

// Panels of A and B, those packed first, and bricks of a step.
struct Plan {
    int down, across, rows, columns, bricks, steps;
};
__device__ Plan plan_of(int M, int N, int K)
{
    int down = (M + HIGH - 1) / HIGH;
    int across = (N + TILE_N - 1) / TILE_N;
    int bricks = down * A_PANEL + across * B_PANEL;
    return {down, across, min(GROUP, down), 0, bricks,
            max((K + SIDE - 1) / SIDE, 1)};
}

// Behind the bricks: those of each panel, then the next number.
__device__ int* counts(float* T, Plan p)
{
    return (int*)T + (long long)p.steps * p.bricks * (BRICK / 4);
}

// WITH threads pack the brick `id` of a step.
template <int WITH> __device__ void pack(
    const float* A, const float* B, float* T,
    int M, int N, int K, Plan p, int step, int id, int t)
{
    bool of_b = id >= p.down * A_PANEL;
    const float* X = of_b ? B : A;
    int height = of_b ? K : M, width = of_b ? N : K;
    int y0 = SIDE * (of_b ? step : id);
    int x0 = SIDE * (of_b ? id - p.down * A_PANEL : step);
    bool whole = width % 4 == 0 && y0 + SIDE <= height
        && x0 + SIDE <= width;
    uint4* brick = (uint4*)T
        + ((long long)step * p.bricks + id) * (BRICK / 16);
    const int MANY = WITH == 32 ? 8 : 2; // pieces at once
    for (int i0 = t; i0 < BRICK / 16; i0 += MANY * WITH) {
        __align__(16) float v[MANY][8];
        #pragma unroll
        for (int b = 0; b < MANY; ++b) {
            int i = i0 + b * WITH, y = y0 + i / 8;
            int x = x0 + i % 8 * 8;
            const float* from = X + (long long)y * width + x;
            if (whole) {
                *(float4*)v[b] = *(const float4*)from;
                *(float4*)(v[b] + 4) = *(const float4*)(from + 4);
            } else for (int e = 0; e < 8; ++e)
                v[b][e] = y < height && x + e < width ? from[e] : 0;
        }
        #pragma unroll
        for (int b = 0; b < MANY; ++b) {
            __align__(16) __nv_bfloat16 r[8];
            for (int e = 0; e < 8; ++e)
                r[e] = __float2bfloat16(v[b][e]);
            int i = i0 + b * WITH, y = i / 8, x = i % 8 ^ y % 8;
            brick[y * 8 + x] = *(uint4*)r;
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void pack_first(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    PTX("griddepcontrol.launch_dependents");
    Plan p = plan_of(M, N, K);
    int of_a = p.rows * A_PANEL, of_b = gridDim.y - of_a;
    int step = blockIdx.x, id = blockIdx.y;
    if (id >= of_a) { // neighbours in memory come together
        int i = (id - of_a) * gridDim.x + step;
        step = i / of_b, id = p.down * A_PANEL + i % of_b;
    }
    pack<256>(A, B, T, M, N, K, p, step, id, threadIdx.x);
    if (blockIdx.x + blockIdx.y == 0)
        for (int i = threadIdx.x; i <= p.down + p.across; i += 256)
            counts(T, p)[i] = 0;
}

#define IN_SHARED(p) (unsigned)__cvta_generic_to_shared(p)

// The fence shows the barrier to the copy engine, too.
__device__ void init(u64* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n"
        "fence.proxy.async.shared::cta;"
        :: "r"(IN_SHARED(barrier)), "r"(arrivals) : "memory");
}

// Arrives, and says how many bytes are to come besides.
__device__ void arrive(u64* barrier, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
        :: "r"(IN_SHARED(barrier)), "r"(bytes) : "memory");
}

// Arrives at the barrier of a block of the cluster.
__device__ void arrive_at(u64* barrier, int block)
{
    asm volatile("{\n.reg .b32 at;\n"
        "mapa.shared::cluster.u32 at, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [at];\n}"
        :: "r"(IN_SHARED(barrier)), "r"(block) : "memory");
}

__device__ void wait(u64* barrier, int parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 "
            "p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done)
            : "r"(IN_SHARED(barrier)), "r"(parity) : "memory");
    while (!done);
}

__device__ void copy(void* to, const void* from, u64* barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global"
        ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"(IN_SHARED(to)), "l"(from), "n"(A_BYTES),
           "r"(IN_SHARED(barrier)) : "memory");
}

__device__ void copy_to_all(
    void* to, const void* from, u64* barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global"
        ".mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1], %2, [%3], %4;"
        :: "r"(IN_SHARED(to)), "l"(from), "n"(SHARE),
           "r"(IN_SHARED(barrier)),
           "h"((unsigned short)((1 << CLUSTER) - 1)) : "memory");
}

__device__ void meet()
{
    PTX("barrier.cluster.arrive.release.aligned");
    PTX("barrier.cluster.wait.acquire.aligned");
}

// What a warp has written is shown to the copy engine, counted.
__device__ void add_one(int* count, int lane)
{
    PTX("fence.proxy.async");
    __syncwarp();
    if (lane == 0)
        asm volatile("red.release.gpu.global.add.s32 [%0], 1;"
            :: "l"(count) : "memory");
}

__device__ void wait_for(const int* count, int all)
{
    int now;
    do
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
            : "=r"(now) : "l"(count) : "memory");
    while (now < all);
    PTX("fence.proxy.async");
}

// Rows of 128 bytes, 1024 bytes from 8 to the next 8, `next` to
// the next 64 columns. The block's rank stands above an address.
__device__ u64 operand(const void* p, int next)
{
    u64 start = (IN_SHARED(p) & 0x3FFFF) >> 4;
    return start | next / 16ull << 16 | 64ull << 32 | 1ull << 62;
}

#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), \
    "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
    "+f"(d[i + 6]), "+f"(d[i + 7])
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

// Adds 64 x 16 times 16 x TILE_N. 1: B's columns lie together.
__device__ void multiply(float (&d)[TILE_N / 2], u64 a, u64 b)
{
    asm volatile("wgmma.mma_async.sync.aligned"
        ".m64n" TEXT(TILE_N) "k16.f32.bf16.bf16 {"
        "%2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
        "%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, "
        "%26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, "
        "%37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "
        "%59, %60, %61, %62, %63, %64, %65"
#if TILE_N > 128
        ", %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, "
        "%77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, "
        "%88, %89, %90, %91, %92, %93, %94, %95, %96, %97"
#endif
#if TILE_N > 192
        ", %98, %99, %100, %101, %102, %103, %104, %105, %106, "
        "%107, %108, %109, %110, %111, %112, %113, %114, %115, "
        "%116, %117, %118, %119, %120, %121, %122, %123, %124, "
        "%125, %126, %127, %128, %129"
#endif
        "}, %0, %1, 1, 1, 1, 0, 1;"
        : "+l"(a), "+l"(b), D8(0), D8(8), D8(16), D8(24), D8(32),
          D8(40), D8(48), D8(56)
#if TILE_N > 128
        , D8(64), D8(72), D8(80), D8(88)
#endif
#if TILE_N > 192
        , D8(96), D8(104), D8(112), D8(120)
#endif
    );
}

// GROUP rows are gone through column by column: L2 is shared.
__device__ int2 tile_at(int id, Plan p)
{
    int first = id / (GROUP * p.across) * GROUP;
    int rest = id - first * p.across;
    int height = min(p.down - first, GROUP);
    return make_int2(rest / height, first + rest % height);
}

extern "C" __global__ __launch_bounds__(CONSUMERS + 128)
__cluster_dims__(CLUSTER, 1, 1)
void matmul_wgmma_clusters_bf16(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    extern __shared__ __align__(1024) char stages[];
    u64* full = (u64*)(stages + STAGES * STAGE);
    u64* empty = full + STAGES;
    int t = threadIdx.x, lane = t % 32, stage = 0, round = 0;
    int rank = blockIdx.x % CLUSTER, first = blockIdx.x / CLUSTER;
    Plan p = plan_of(M, N, K);
    int clusters = gridDim.x / CLUSTER, tiles = p.down * p.across;
    p.columns = min((clusters + p.rows - 1) / p.rows, p.across);
    int* ready = counts(T, p);
    for (int s = 0; s < STAGES && t == 0; ++s)
        init(&full[s], 1),
            init(&empty[s], CLUSTER * CONSUMERS / 32);
    meet();
    PTX("griddepcontrol.wait");
    if (t >= CONSUMERS + 32) {
        // Panels of B that are left, then those of A.
        int of_b = (p.across - p.columns) * B_PANEL * p.steps;
        int of_a = (p.down - p.rows) * A_PANEL * p.steps;
        int* numbers = ready + p.down + p.across;
        int next = lane ? 0 : atomicAdd(numbers, 1);
        for (;;) {
            int i = __shfl_sync(~0u, next, 0);
            if (i >= of_b + of_a) break;
            if (lane == 0) next = atomicAdd(numbers, 1);
            bool is_a = i >= of_b;
            if (is_a) i -= of_b;
            int many = is_a ? A_PANEL : B_PANEL;
            int panel = i / (many * p.steps);
            int step = i / many % p.steps;
            panel += is_a ? p.rows : p.columns;
            int id = panel * many + i % many;
            if (!is_a) id += p.down * A_PANEL, panel += p.down;
            pack<32>(A, B, T, M, N, K, p, step, id, lane);
            add_one(&ready[panel], lane);
        }
    } else if (t >= CONSUMERS) {
        long long line = (long long)p.bricks * BRICK;
        for (int id = first; id < tiles && lane == 0;
             id += clusters) {
            int2 tile = tile_at(id, p);
            if (tile.y >= p.rows)
                wait_for(&ready[tile.y], A_PANEL * p.steps);
            if (tile.x >= p.columns)
                wait_for(&ready[p.down + tile.x],
                    B_PANEL * p.steps);
            char* a = (char*)T + rank * A_BYTES
                + tile.y * A_PANEL * BRICK;
            char* b = (char*)T + rank * SHARE
                + (p.down * A_PANEL + tile.x * B_PANEL) * BRICK;
            for (int s = 0; s < p.steps; ++s) {
                char* to = stages + stage * STAGE;
                wait(&empty[stage], round ^ 1);
                arrive(&full[stage], STAGE);
                copy(to, a + s * line, &full[stage]);
                copy_to_all(to + A_BYTES + rank * SHARE,
                            b + s * line, &full[stage]);
                if (++stage == STAGES) stage = 0, round ^= 1;
            }
        }
        __syncwarp();
    } else {
        for (int id = first; id < tiles; id += clusters) {
            float d[TILE_N / 2] = {};
            int before = 0;
            for (int s = 0; s < p.steps; ++s) {
                char* from = stages + stage * STAGE;
                u64 a = operand(from + t / 128 * BRICK, 16);
                u64 b = operand(from + A_BYTES, BRICK);
                wait(&full[stage], round);
                PTX("wgmma.fence.sync.aligned");
                #pragma unroll
                for (int k = 0; k < SIDE / 16; ++k)
                    multiply(d, a + k * 2, b + k * 128);
                PTX("wgmma.commit_group.sync.aligned");
                PTX("wgmma.wait_group.sync.aligned 1");
                if (s > 0 && lane < CLUSTER)
                    arrive_at(&empty[before], lane);
                before = stage;
                if (++stage == STAGES) stage = 0, round ^= 1;
            }
            PTX("wgmma.wait_group.sync.aligned 0");
            if (lane < CLUSTER) arrive_at(&empty[before], lane);
            #pragma unroll // nobody reads d before this
            for (int i = 0; i < TILE_N / 2; ++i)
                asm volatile("" : "+f"(d[i]));
            // A lane holds pairs of neighbours in rows r, r + 8.
            int2 tile = tile_at(id, p);
            int odd = lane % 2, c = tile.x * TILE_N, r = lane / 4
                + tile.y * HIGH + rank * TILE_M + t / 32 * 16;
            if (N % 4 == 0 && c + TILE_N <= N
                && (tile.y + 1) * HIGH <= M) {
                // Two lanes exchange pairs: each has neighbours.
                float* to = C + (long long)r * N + c
                    + lane % 4 / 2 * 4 + odd * 8;
                #pragma unroll
                for (int i = 0; i < TILE_N / 2; i += 8)
                    for (int h = 0; h < 4; h += 2) {
                        float* x = &d[i + h];
                        float* y = &d[i + h + 4];
                        float u = odd ? x[0] : y[0];
                        float v = odd ? x[1] : y[1];
                        u = __shfl_xor_sync(~0u, u, 1);
                        v = __shfl_xor_sync(~0u, v, 1);
                        float* at = to + h * 4ll * N + i * 2;
                        *(float4*)at = odd
                            ? make_float4(u, v, y[0], y[1])
                            : make_float4(x[0], x[1], u, v);
                    }
                continue;
            }
            #pragma unroll
            for (int i = 0; i < TILE_N / 2; ++i) {
                int y = r + i % 4 / 2 * 8;
                int x = c + lane % 4 * 2 + i / 4 * 8 + i % 2;
                if (y < M && x < N) C[(long long)y * N + x] = d[i];
            }
        }
    }
    meet();
}
