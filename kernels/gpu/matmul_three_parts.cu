// Matrix multiplication in float32 on tensor cores that take only
// bfloat16: each value is the sum of three.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   float32   24 bits  |xxxxxxxx|yyyyyyyy|zzzzzzzz|
//   parts               x0       x1       x2         bfloat16
//
//   a * b = a0 b0 + (a0 b1 + a1 b0) + (a0 b2 + a1 b1 + a2 b0)
//                 + what is below the last bit of a product
//
// x0 is x rounded, x1 the rest rounded, x2 the rest of that: no
// bit is lost. bfloat16 has float32's range of exponents, so x
// may be large or small; only what it rounds to infinity, above
// 3.39e38, is not. Of nine products, each exact, six are made:
// six times the work, on units that do fifteen times as much.
//
// Tensor cores do not round a sum, they cut it off. One error is
// hardly larger than float32's, but all go the same way. So they
// add up only DEPTH steps of k, from zero and the small products
// first; then the CUDA cores add this to sum, and round.
//
//   tensor cores  d = 12 products | d = 12 products | ...
//   CUDA cores                 sum += d          sum += d
//
// While one warpgroup adds, the other one multiplies. Bricks and
// barriers are those of matmul_wgmma_bf16.cu. A row of a brick
// has 64 bytes here, and its 4 pieces of 16 bytes are exchanged
// by x ^ row / 2 % 4; the three parts of a brick lie together.
//
// What limits it now: the tensor cores themselves, at 2048 and
// above. Small matrices have too few tiles.
//
// Needs compute capability 9.0.
//
// Launch: pack_parts, a block a brick, then 2 * TILE_M + 32
// threads a block; tiles of TILE_M x 128 cover C, TILE_M is a
// multiple of 64. Dynamic shared memory: STAGES times the parts
// of a step and two barriers of 8 bytes.

#include <cuda_bf16.h>

#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef STAGES
#define STAGES 4
#endif
#define TILE_N 128
#define SIDE 64  // rows of a brick
#define DEPTH 32 // its steps of k
#define PARTS 3
#define BRICK (SIDE * DEPTH * 2) // bytes of one part
#define BRICKS_M (TILE_M / SIDE)
#define BRICKS_N (TILE_N / SIDE)
#define PART ((BRICKS_M + BRICKS_N) * BRICK) // of a stage
#define STAGE (PARTS * PART)
#define CONSUMERS (128 * BRICKS_M)
#define GROUP 16 // rows of tiles that are computed together
typedef unsigned long long u64;

// Rows of bricks that A takes; those of B follow.
__device__ int rows_of_a(int M)
{
    return (M + TILE_M - 1) / TILE_M * BRICKS_M;
}

extern "C" __global__ void pack_parts(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    int first = blockIdx.y < rows_of_a(M) ? 0 : rows_of_a(M);
    const float* X = first ? B : A;
    int rows = first ? N : M;
    long long next_row = first ? 1 : K, next_k = first ? N : 1;
    long long id = (long long)blockIdx.y * gridDim.x + blockIdx.x;
    char* brick = (char*)T + id * PARTS * BRICK;

    int i = threadIdx.x; // a piece, of all three parts
    int r = i / 32 * 8 + i % 8, piece = i / 8 % 4;
    int row = (blockIdx.y - first) * SIDE + r;
    int k0 = blockIdx.x * DEPTH + piece * 8;
    __align__(16) __nv_bfloat16 x[PARTS][8];
    for (int e = 0; e < 8; ++e) {
        float rest = row < rows && k0 + e < K
            ? X[row * next_row + (k0 + e) * next_k] : 0.0f;
        for (int p = 0; p < PARTS; ++p) {
            x[p][e] = __float2bfloat16(rest);
            rest -= __bfloat162float(x[p][e]);
        }
    }
    int place = r * 64 + (piece ^ r / 2 % 4) * 16;
    for (int p = 0; p < PARTS; ++p)
        *(uint4*)(brick + p * BRICK + place) = *(uint4*)x[p];
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

// Where an operand begins: rows of 64 bytes, 512 bytes from 8
// rows to the next 8, pieces exchanged within these.
__device__ u64 operand(const void* p)
{
    u64 start = IN_SHARED(p) >> 4;
    return start | 1ull << 16 | 32ull << 32 | 2ull << 62;
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

__device__ void wait_for_groups()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
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
void matmul_three_parts(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    extern __shared__ __align__(1024) char stages[];
    u64* full = (u64*)(stages + STAGES * STAGE);
    u64* empty = full + STAGES;

    int t = threadIdx.x, lane = t % 32;
    int steps = (K + DEPTH - 1) / DEPTH;
    int2 tile = tile_of_block();

    for (int s = 0; s < STAGES && t == 0; ++s)
        init(&full[s], 1), init(&empty[s], CONSUMERS / 32);
    __syncthreads();

    if (t >= CONSUMERS) {
        int a_row = tile.y * BRICKS_M;
        int b_row = rows_of_a(M) + tile.x * BRICKS_N;
        for (int s = 0; s < steps && lane == 0; ++s) {
            int stage = s % STAGES;
            char* to = stages + stage * STAGE;
            wait(&empty[stage], s / STAGES & 1 ^ 1);
            arrive(&full[stage], STAGE);
            // In shared memory those of one part lie together.
            for (int p = 0; p < PARTS; ++p)
                for (int i = 0; i < BRICKS_M + BRICKS_N; ++i) {
                    long long row = i < BRICKS_M
                        ? a_row + i : b_row + i - BRICKS_M;
                    long long id = (row * steps + s) * PARTS + p;
                    copy(to, (char*)T + id * BRICK, &full[stage]);
                    to += BRICK;
                }
        }
        return;
    }

    const int a_part[] = {1, 0, 2, 0, 1, 0};
    const int b_part[] = {1, 2, 0, 1, 0, 0};
    float sum[64] = {};
    for (int s = 0; s < steps; ++s) {
        char* a = stages + s % STAGES * STAGE + t / 128 * BRICK;
        char* b = stages + s % STAGES * STAGE + BRICKS_M * BRICK;
        float d[64] = {};
        wait(&full[s % STAGES], s / STAGES & 1);
        begin_group();
        #pragma unroll
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < 64; k += 32)
                multiply(d, operand(a + a_part[i] * PART + k),
                         operand(b + b_part[i] * PART + k));
        end_group();
        wait_for_groups();
        if (lane == 0)
            arrive(&empty[s % STAGES], 0);
        for (int i = 0; i < 64; ++i)
            sum[i] += d[i];
    }

    // A lane holds pairs of neighbours in rows r and r + 8.
    int r0 = tile.y * TILE_M + t / 32 * 16 + lane / 4;
    int c0 = tile.x * TILE_N + lane % 4 * 2;
    #pragma unroll
    for (int i = 0; i < TILE_N / 2; i += 2) {
        int r = r0 + i % 4 / 2 * 8, c = c0 + i / 4 * 8;
        float* from = &sum[i];
        float* to = C + (long long)r * N + c;
        if (r < M && c + 1 < N && N % 2 == 0)
            *(float2*)to = make_float2(from[0], from[1]);
        else
            for (int e = 0; e < 2; ++e)
                if (r < M && c + e < N) to[e] = from[e];
    }
}
