// Matrix multiplication: small matrices. The steps of k are
// shared out, among blocks and among the warps of a block.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   k             0 .......... K/2 .......... K
//   block 0       0 1 0 1 0 1                    one tile of C,
//   block 1                    0 1 0 1 0 1       with 2 x 2 parts
//   at the end    part + part + part + part --> C
//
// 1024 x 1024 results are 64 tiles of 128 x 128: of 132
// multiprocessors half have nothing to do. Smaller tiles read
// more for each result. Or, for the same tile, several blocks
// take a range of k each, and in a block SLICES groups of warps
// take turns at the steps. Each has sums of its own then, and
// all of them are added up once, in the end.
//
// The CLUSTER blocks of a tile run at the same time, in a
// cluster, and read each other's shared memory: a part is there
// and needs no way through L2. Each group of warps adds up its
// share of the results, of all groups of all blocks.
//
// A lies in shared memory by rows, as in memory: copies of 16
// bytes bring A and B, and nothing is turned. A thread reads
// four neighbours of a row of A at once, for four k. Rows are 16
// bytes longer than DEPTH, so that the four rows that a warp
// reads at once lie in different banks.
//
// What limits it now: which tile and how many parts are best
// depends on M, N and K. And more instructions read operands
// than in matmul_fastest.cu, which large matrices should take.
// Next rung: the same text, and a model that chooses.
//
// Needs compute capability 9.0.
//
// Launch: SLICES * TILE_M / RESULTS * TILE_N / RESULTS threads;
// a block for each tile and range of k, those of a tile side by
// side. A warp has 4 * RESULTS rows and 8 * RESULTS columns.
// Dynamic shared memory: STAGES times tiles of A, with longer
// rows, and B; or SLICES tiles of C.

#include <cuda_pipeline.h>

#ifndef TILE_M
#define TILE_M 64
#endif
#ifndef TILE_N
#define TILE_N 64
#endif
#ifndef RESULTS
#define RESULTS 8
#endif
#ifndef SLICES
#define SLICES 2
#endif
#ifndef CLUSTER
#define CLUSTER 2
#endif
#ifndef WIDTH_A
#define WIDTH_A 4
#endif
#ifndef WIDTH_B
#define WIDTH_B 4
#endif
#define STAGES 4
#define PART 8 // steps of k of a group of warps
#define DEPTH (PART * SLICES)
#define SPAN 4 // neighbours of a row of A that are read at once
#define GROUP (TILE_M / RESULTS * TILE_N / RESULTS)
#define THREADS (SLICES * GROUP)
#define RESIDENT ((RESULTS < 8 ? 512 : 384) / THREADS)
#define WARPS_N (TILE_N / 8 / RESULTS)
#define PARTS (CLUSTER * SLICES)
#define QUADS (RESULTS * RESULTS / 4) // four neighbours
#define A_LINE (DEPTH + 4) // floats of a row in shared memory
#define A_TILE (TILE_M * A_LINE)
#define STAGE (A_TILE + DEPTH * TILE_N)
#define A_COPIES (TILE_M * DEPTH / WIDTH_A)
#define B_COPIES (TILE_N * DEPTH / WIDTH_B)
#define EACH(copies) ((copies + THREADS - 1) / THREADS)
#define FLOAT4(x) (*(float4*)&(x))

__constant__ float alpha = 1.0f;

// Neighbours set out for shared memory; zeros, if not inside.
__device__ void copy(
    float* to, const float* from, int bytes, bool inside)
{
    __pipeline_memcpy_async(to, from, bytes, inside ? 0 : bytes);
}

// All threads of a cluster meet, and see what others stored.
__device__ void meet()
{
    if (CLUSTER == 1)
        __syncthreads();
    else
        asm volatile("barrier.cluster.arrive.release.aligned;\n"
            "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Four floats at the same place in a block of the cluster.
__device__ float4 read_from(int block, const float* p)
{
    if (CLUSTER == 1) return FLOAT4(*p);
    float4 v;
    asm volatile("{\n.reg .b32 at;\n"
        "mapa.shared::cluster.u32 at, %4, %5;\n"
        "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [at];\n}"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(block)
        : "memory");
    return v;
}

// Up to four neighbours in C.
__device__ void store(
    float* C, int m, int n, int M, int N, float4 v)
{
    float* c = C + (long long)m * N + n;
    int inside = m < M ? N - n : 0;
    if (WIDTH_B == 4 && inside >= 4)
        FLOAT4(*c) = v;
    for (int e = 0; e < 4; ++e)
        if (WIDTH_B < 4 && e < inside) c[e] = (&v.x)[e];
}

extern "C" __global__ __launch_bounds__(THREADS, RESIDENT)
__cluster_dims__(CLUSTER, 1, 1)
void matmul_split_k(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    extern __shared__ __align__(16) float shared[];
    int t = threadIdx.x, lane = t % 32, warp = t % GROUP / 32;
    int slice = t / GROUP, rank = blockIdx.x % CLUSTER;
    int row0 = blockIdx.y * TILE_M;
    int col0 = blockIdx.x / CLUSTER * TILE_N;
    int row = warp / WARPS_N * 4 * RESULTS + lane / 2 % 4;
    int col = warp % WARPS_N * 8 * RESULTS
        + (lane % 2 + lane / 8 * 2) * 4;

    // The range of this block: whole steps.
    int steps = (K + DEPTH - 1) / DEPTH;
    int range = (steps + CLUSTER - 1) / CLUSTER * DEPTH;
    int k_first = rank * range, k_end = min(K, k_first + range);

    // The tiles of one step set out for a stage. Nobody waits.
    // Zeros past the range and the edges. WIDTH_A is 1 unless 4
    // divides K, WIDTH_B unless 4 divides N.
    auto set_out = [&](int stage, int k0) {
        float* to = shared + stage * STAGE;
        for (int i = 0; i < EACH(A_COPIES); ++i) {
            int e = (i * THREADS + t) * WIDTH_A;
            int r = e / DEPTH, m = row0 + r, k = k0 + e % DEPTH;
            if (A_COPIES % THREADS == 0 || r < TILE_M)
                copy(to + r * A_LINE + e % DEPTH,
                     A + (long long)m * K + k,
                     4 * WIDTH_A, m < M && k < k_end);
        }
        to += A_TILE;
        for (int i = 0; i < EACH(B_COPIES); ++i) {
            int e = (i * THREADS + t) * WIDTH_B;
            int k = k0 + e / TILE_N, n = col0 + e % TILE_N;
            if (B_COPIES % THREADS == 0 || e < TILE_N * DEPTH)
                copy(to + e, B + (long long)k * N + n,
                     4 * WIDTH_B, k < k_end && n < N);
        }
        __pipeline_commit();
    };

    __align__(16) float a[2][RESULTS][SPAN], b[2][RESULTS];
    float sum[RESULTS][RESULTS] = {};
    const float* As = shared + row * A_LINE + slice * PART;
    const float* Bs = shared + A_TILE
        + slice * PART * TILE_N + col;
    auto read_a = [&](int i, int stage, int k) {
        const float* from = As + stage * STAGE + k;
        for (int r = 0; r < RESULTS; ++r)
            FLOAT4(a[i][r]) = FLOAT4(from[r * 4 * A_LINE]);
    };
    auto read_b = [&](int i, int stage, int k) {
        const float* from = Bs + stage * STAGE + k * TILE_N;
        for (int j = 0; j < RESULTS; j += 4)
            FLOAT4(b[i][j]) = FLOAT4(from[j * 8]);
    };

    for (int s = 0; s < STAGES - 1; ++s)
        set_out(s, k_first + s * DEPTH);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    read_a(0, 0, 0);
    read_b(0, 0, 0);

    int now = 0, free = STAGES - 1;
    for (int k0 = k_first; k0 < k_end; k0 += DEPTH) {
        // Everybody left this stage before the last barrier.
        set_out(free, k0 + (STAGES - 1) * DEPTH);
        int next = (now + 1) % STAGES;
        #pragma unroll
        for (int k = 0; k < PART; ++k) {
            bool last = k + 1 == PART;
            int stage = last ? next : now, after = (k + 1) % PART;
            if (last) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
            }
            // The operands of the next k, of A for the next four.
            if (k % SPAN == (k + SPAN < PART ? 0 : SPAN - 1))
                read_a((k / SPAN + 1) % 2, stage,
                       last ? 0 : k / SPAN * SPAN + SPAN);
            read_b((k + 1) % 2, stage, after);
            for (int r = 0; r < RESULTS; ++r)
                for (int q = 0; q < RESULTS; ++q) {
                    int i = r % 4 * (RESULTS / 4) + r / 4;
                    int j = i % 2 == 0 ? q : RESULTS - 1 - q;
                    sum[i][j] += a[k / SPAN % 2][i][k % SPAN]
                        * b[k % 2][j];
                }
        }
        free = now, now = next;
    }

    // Quad q of a thread: four neighbours of its results. As in
    // matmul_fastest.cu what is stored is not the sum itself.
    auto quad = [&](int q) {
        float* s = &sum[q * 4 / RESULTS][q * 4 % RESULTS];
        float4 v = {alpha * s[0], alpha * s[1],
                    alpha * s[2], alpha * s[3]};
        return v;
    };
    auto store_quad = [&](int q, float4 v) {
        store(C, row0 + row + q * 4 / RESULTS * 4,
              col0 + col + q * 4 % RESULTS * 8, M, N, v);
    };
    if (PARTS == 1) {
        for (int q = 0; q < QUADS; ++q)
            store_quad(q, quad(q));
        return;
    }

    // The stages are read to the end: now they hold the parts.
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int q = 0; q < QUADS; ++q)
        FLOAT4(shared[(q * THREADS + t) * 4]) = quad(q);
    meet();
    for (int q = rank * SLICES + slice; q < QUADS; q += PARTS) {
        float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int p = 0; p < PARTS; ++p) {
            int from = q * THREADS + p % SLICES * GROUP + t % GROUP;
            float4 part = read_from(p / SLICES, shared + from * 4);
            v.x += part.x, v.y += part.y;
            v.z += part.z, v.w += part.w;
        }
        store_quad(q, v);
    }
    if (CLUSTER > 1) meet(); // Others may still read here.
}
