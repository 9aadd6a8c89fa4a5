// Matrix multiplication on Hopper's tensor cores: they read
// shared memory themselves, and nobody's registers carry A or B.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   first     A, B --> T          round, cut into bricks
//   producer  T -----> stage      cp.async.bulk: one thread asks,
//                                 the copy engine moves the brick
//   consumers          stage ---> tensor cores   wgmma
//             stage  0 1 2 3 0 1 2 3 ...         two warpgroups
//
// A brick is 64 rows of A, or columns of B, by 64 steps of k: 8
// KB that lie in T as wgmma wants them in shared memory, a row of
// 128 bytes after the other, its 8 pieces of 16 bytes exchanged
// by x ^ row % 8, so that a column of pieces meets all banks.
// Zeros fill the edges: the main loop asks for nothing.
//
// Two barriers a stage (mbarrier): full[s] opens when all bytes
// have come, empty[s] when 8 warps have read them. A wait names
// the parity of the round, and nobody else waits for anything.
//
// What limits it now: a stage is read from L2 by every block of
// its row or column, a finished block stores C while its tensor
// cores rest, and they all rest while A and B are packed. Next
// rung: matmul_wgmma_clusters_bf16.cu, clusters that stay.
//
// Needs compute capability 9.0.
//
// Launch: pack_bricks, a block a brick, then 2 * TILE_M + 32
// threads a block; tiles of TILE_M x TILE_N, multiples of 64 and
// 128, cover C. Dynamic shared memory: STAGES times the bricks of
// a step and two barriers of 8 bytes.

#include <cuda_bf16.h>

#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef TILE_N
#define TILE_N 256
#endif
#ifndef STAGES
#define STAGES 4
#endif
#define SIDE 64
#define BRICK (SIDE * SIDE * 2) // bytes
#define BRICKS_M (TILE_M / SIDE)
#define BRICKS (BRICKS_M + TILE_N / SIDE)
#define CONSUMERS (128 * BRICKS_M)
#define GROUP 16 // rows of tiles that are computed together
typedef unsigned long long u64;

// Rows of bricks that A takes; those of B follow.
__device__ int rows_of_a(int M)
{
    return (M + TILE_M - 1) / TILE_M * BRICKS_M;
}

extern "C" __global__ void pack_bricks(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    int first = blockIdx.y < rows_of_a(M) ? 0 : rows_of_a(M);
    const float* X = first ? B : A;
    int rows = first ? N : M;
    long long next_row = first ? 1 : K, next_k = first ? N : 1;
    long long id = (long long)blockIdx.y * gridDim.x + blockIdx.x;
    char* brick = (char*)T + id * BRICK;

    for (int i = threadIdx.x; i < BRICK / 16; i += blockDim.x) {
        int r = i / 64 * 8 + i % 8, piece = i / 8 % 8;
        int row = (blockIdx.y - first) * SIDE + r;
        int k0 = blockIdx.x * SIDE + piece * 8;
        __align__(16) __nv_bfloat16 x[8];
        for (int e = 0; e < 8; ++e)
            x[e] = __float2bfloat16(row < rows && k0 + e < K
                ? X[row * next_row + (k0 + e) * next_k] : 0.0f);
        int place = r * 128 + (piece ^ r % 8) * 16;
        *(uint4*)(brick + place) = *(uint4*)x;
    }
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

__device__ void wait(u64* barrier, int parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 "
            "p, [%1], %2;\n"
            "selp.u32 %0, 1, 0, p;\n}"
            : "=r"(done)
            : "r"(IN_SHARED(barrier)), "r"(parity) : "memory");
    while (!done);
}

__device__ void copy(void* to, const void* from, u64* barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global"
        ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"(IN_SHARED(to)), "l"(from), "n"(BRICK),
           "r"(IN_SHARED(barrier)) : "memory");
}

// Where an operand begins: rows of 128 bytes, 1024 bytes from 8
// rows to the next 8, pieces exchanged within these.
__device__ u64 operand(const void* p)
{
    u64 start = IN_SHARED(p) >> 4;
    return start | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), \
    "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
    "+f"(d[i + 6]), "+f"(d[i + 7])

// A warpgroup adds the product of 64 x 16 and 16 x 128 to d.
__device__ void multiply(float (&d)[64], u64 a, u64 b)
{
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
        "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, "
        "%35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "
        "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, "
        "%57, %58, %59, %60, %61, %62, %63 "
        "}, %64, %65, 1, 1, 1, 0, 0;"
        : D8(0), D8(8), D8(16), D8(24),
          D8(32), D8(40), D8(48), D8(56)
        : "l"(a), "l"(b));
}

__device__ void begin_group()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void end_group()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Until no more than the LEFT last groups are at work.
template <int LEFT> __device__ void wait_for_groups()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;"
        :: "n"(LEFT) : "memory");
}

// The tile of a block: GROUP rows of tiles are gone through
// column by column, so that blocks at work share A and B in L2.
__device__ int2 tile_of_block()
{
    int id = blockIdx.y * gridDim.x + blockIdx.x;
    int first = id / (GROUP * gridDim.x) * GROUP;
    int rest = id - first * gridDim.x;
    int height = min(gridDim.y - first, GROUP);
    return make_int2(rest / height, first + rest % height);
}

extern "C" __global__ __launch_bounds__(CONSUMERS + 32)
void matmul_wgmma_bf16(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    extern __shared__ __align__(1024) char stages[];
    u64* full = (u64*)(stages + STAGES * BRICKS * BRICK);
    u64* empty = full + STAGES;

    int t = threadIdx.x, lane = t % 32;
    int steps = (K + SIDE - 1) / SIDE;
    int2 tile = tile_of_block();

    for (int s = 0; s < STAGES && t == 0; ++s)
        init(&full[s], 1), init(&empty[s], CONSUMERS / 32);
    __syncthreads();

    if (t >= CONSUMERS) {
        int a_row = tile.y * BRICKS_M;
        int b_row = rows_of_a(M) + tile.x * (BRICKS - BRICKS_M);
        for (int s = 0; s < steps && lane == 0; ++s) {
            int stage = s % STAGES;
            wait(&empty[stage], s / STAGES & 1 ^ 1);
            arrive(&full[stage], BRICKS * BRICK);
            for (int i = 0; i < BRICKS; ++i) {
                long long row = i < BRICKS_M
                    ? a_row + i : b_row + i - BRICKS_M;
                copy(stages + (stage * BRICKS + i) * BRICK,
                     (char*)T + (row * steps + s) * BRICK,
                     &full[stage]);
            }
        }
        return;
    }

    float d[TILE_N / 128][64] = {};
    for (int s = 0; s < steps; ++s) {
        char* a = stages + s % STAGES * BRICKS * BRICK;
        char* b = a + BRICKS_M * BRICK;
        a += t / 128 * BRICK;
        wait(&full[s % STAGES], s / STAGES & 1);
        begin_group();
        #pragma unroll
        for (int k = 0; k < 128; k += 32)
            for (int h = 0; h < TILE_N / 128; ++h)
                multiply(d[h], operand(a + k),
                         operand(b + 2 * h * BRICK + k));
        end_group();
        wait_for_groups<1>();
        // Those of the step before have been read to the end.
        if (s > 0 && lane == 0)
            arrive(&empty[(s - 1) % STAGES], 0);
    }
    wait_for_groups<0>();

    // A lane holds pairs of neighbours in rows r and r + 8.
    int r0 = tile.y * TILE_M + t / 32 * 16 + lane / 4;
    int c0 = tile.x * TILE_N + lane % 4 * 2;
    #pragma unroll
    for (int i = 0; i < TILE_N / 2; i += 2) {
        int r = r0 + i % 4 / 2 * 8, c = c0 + i / 4 * 8;
        float* from = &d[i / 64][i % 64];
        float* to = C + (long long)r * N + c;
        if (r < M && c + 1 < N && N % 2 == 0)
            *(float2*)to = make_float2(from[0], from[1]);
        else
            for (int e = 0; e < 2; ++e)
                if (r < M && c + e < N) to[e] = from[e];
    }
}
