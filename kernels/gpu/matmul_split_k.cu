// Matrix multiplication, k split: tiles that would leave
// multiprocessors without work are shared out, ranges of k among
// blocks, steps of k among the warps of a block.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   tiles of C    0  1  2  3 ...  263 | 264    265  ...
//   blocks        one for each tile   | CLUSTER for each
//
//   k             0 .......... K/2 .......... K
//   block 0       0 1 0 1 0 1                    one tile of C,
//   block 1                    0 1 0 1 0 1       with 2 x 2 parts
//   at the end    part + part + part + part --> C
//
// 1024 x 1024 results are 64 tiles of 128 x 128 for 132
// multiprocessors; 3000 x 3000 are 576, two rounds of 264 and 48
// that take a third. Smaller tiles read more. Or SHARE blocks take
// a range of k each for one tile, and in a block SLICES groups of
// warps take turns at the steps; all sums are added up in the end.
// The CLUSTER blocks of a cluster run at the same time, and read
// each other's shared memory. Few results and a long k need GROUPS
// clusters: each block stores its part of the sums in T, counts,
// and looks for a while if all are there; who sees them all adds
// up shares until none is left, the last at any rate, in order:
// the same bits each time, unlike atomicAdd() on C. Where many
// tiles leave some, these are spread over all PLACES: 116 for 132
// are 116 blocks with 8/9 of k each, and 116 with the ninth that
// is left, which 16 places run, 8 one by one.
//
// A is turned while it is copied, 4 bytes at a time, to rows 16
// bytes longer: a warp meets different banks. Or first a kernel
// sets up T, for copies of 16 bytes: each row has a column of A,
// padded to whole tiles (TURNED & 1), and, unless 4 divides N
// (WIDTH 4), a row of B, padded to whole float4 (TURNED & 2).
// What limits it now: M, N, K decide. Next rung: a model chooses.
// Needs compute capability 9.0. Launch: THREADS a block; a row of
// blocks, first those with a tile each, a multiple of CLUSTER.
// Dynamic shared memory: STAGES * DEPTH rows of A, made longer,
// and B; or SLICES tiles of C.

#include <cuda_pipeline.h>

#ifndef TILE_M // all are given, or none
#define TILE_M 64
#define TILE_N 64
#define RESULTS_M 8
#define RESULTS_N 8
#define SLICES 2
#define PART 8 // steps of k of a group of warps
#define CLUSTER 2
#define WIDTH 4
#define STAGES 3
#define GROUPS 1
#define PLACES 0
#define BURSTS 2 // of copies in a step
#define TURNED 0
#endif
#define BAND 8 // rows of tiles, taken down and then across
#define AROUND 3 // steps that a block takes besides
#define PATIENCE (PLACES || SHARES == 1 ? 0 : 200) // looks
#define DEPTH (PART * SLICES)
#define AHEAD ((STAGES - 1) * DEPTH)
#define GROUP (TILE_M / RESULTS_M * TILE_N / RESULTS_N)
#define THREADS (SLICES * GROUP)
#define MOST (RESULTS_M == 16 ? 256 : THREADS == 128 ? 384 : 512)
#define RESIDENT (MOST / THREADS) // blocks with enough registers
#define WARPS_N (TILE_N / 8 / RESULTS_N)
#define QUADS (RESULTS_M * RESULTS_N / 4) // four neighbours
#define SHARE (CLUSTER * GROUPS) // blocks of a shared tile
#define STEP (CLUSTER * SLICES) // that quads are dealt out to
#define OWN UP(QUADS, STEP)
#define EACH (OWN > 4 ? UP(OWN, GROUPS) : OWN) // of a share
#define SHARES UP(OWN, EACH)
#define OF_A (TURNED & 1)
#define PADS (WIDTH < 4 && TURNED & 2)
#define SETS_OUT (WIDTH < 4 && SLICES == 1)
#define WIDTH_A (OF_A ? 4 : 1)
#define WIDTH_B (PADS ? 4 : WIDTH)
#define A_LINE (TILE_M + (OF_A ? 0 : 4)) // of shared memory
#define A_PART (PART * A_LINE)
#define A_COPIES (PART * TILE_M / WIDTH_A)
#define B_COPIES (PART * TILE_N / WIDTH_B)
#define EACH_A UP(A_COPIES, GROUP) // of a thread
#define EACH_B UP(B_COPIES, GROUP)
#define PANEL (A_PART + PART * TILE_N)
#define STAGE (SLICES * PANEL)
#define FLOAT4(x) (*(float4*)&(x))
#define UP(side, size) (((side) + (size) - 1) / (size))
#define PADDED(x, to) (UP(x, to) * (to))
// Where in a row of T that of B begins, and floats of a row.
#define OWN_B(M) (OF_A ? PADDED(M, TILE_M) : 0)
#define T_LINE(M, N) (OWN_B(M) + (PADS ? PADDED(N, 4) : 0))

__constant__ float alpha = 1.0f;

#if TURNED
// A block sets up 32 steps of k: 64 rows of A, turned 4 x 4 values
// a thread, read at once; blocks below those copy 64 columns of B.
extern "C" __global__ void set_up(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    // The next kernel waits, as this one: T may still be in use.
    asm volatile("griddepcontrol.launch_dependents;\n"
        "griddepcontrol.wait;" ::: "memory");
    int t = threadIdx.x, k0 = blockIdx.x * 32;
    int below = blockIdx.y - PADDED(OWN_B(M), 64) / 64;
    long long line = T_LINE(M, N);
    int all = UP(M, TILE_M) * UP(N, TILE_N) * CLUSTER;
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * 128 + t;
    for (; GROUPS > 1 && i < all; i += gridDim.x * gridDim.y * 128)
        T[K * line + i] = 0;
    if (PADS && below >= 0) {
        int n = below * 64 + t % 64, k1 = k0 + t / 64;
        float v[16];
        for (int i = 0, k = k1; i < 16; ++i, k += 2)
            v[i] = k < K && n < N ? B[(long long)k * N + n] : 0;
        for (int i = 0, k = k1; i < 16; ++i, k += 2)
            if (k < K && n < PADDED(N, 4))
                T[k * line + OWN_B(M) + n] = v[i];
        return;
    }
    int k = k0 + (t / 64 * 4 + t % 4) * 4;
    int m = blockIdx.y * 64 + t / 4 % 16 * 4;
    if (k >= K || m >= OWN_B(M)) return;
    __align__(16) float v[4][4];
    for (int i = 0; i < 4; ++i) {
        const float* from = A + (long long)(m + i) * K + k;
        if (m + 4 <= M && K % 4 == 0) FLOAT4(v[i]) = FLOAT4(*from);
        else for (int j = 0; j < 4; ++j)
            v[i][j] = m + i < M && k + j < K ? from[j] : 0;
    }
    for (int j = 0; j < 4; ++j)
        if (k + j < K) FLOAT4(T[(k + j) * line + m]) =
            make_float4(v[0][j], v[1][j], v[2][j], v[3][j]);
}
#endif

__device__ void copy(float* to, const float* p, int bytes, bool in)
{
    __pipeline_memcpy_async(to, p, bytes, in ? 0 : bytes);
}

// All of a block, or a cluster, meet, and see what others stored.
__device__ void meet(bool alone)
{
    if (alone) __syncthreads();
    else asm volatile("barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ void add(float4& v, float4 w)
{
    v.x += w.x, v.y += w.y, v.z += w.z, v.w += w.w;
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

extern "C" __global__ __launch_bounds__(THREADS, RESIDENT)
__cluster_dims__(CLUSTER, 1, 1) void matmul_split_k(
    const float* A, const float* B, float* C,
#if TURNED
    float* T,
#endif
    int M, int N, int K)
{
    extern __shared__ __align__(16) float shared[];
    int thread = threadIdx.x, slice = thread / GROUP;
    int t = thread % GROUP, lane = t % 32, warp = t / 32;
    // The tile of this block, or of its cluster.
    int wide = UP(N, TILE_N), tiles = UP(M, TILE_M) * wide;
    int more = (int)gridDim.x - tiles;
    int whole = SHARE == 1 ? tiles : tiles - more / (SHARE - 1);
    if (PLACES) whole = tiles - tiles % max(PLACES, 1);
    int tile = blockIdx.x, rank = tile % CLUSTER;
    int rest = tiles - whole;
    bool alone = tile < whole;
    int part = GROUPS == 1 ? rank : (tile - whole) % SHARE;
    int groups = !PLACES ? GROUPS : alone ? 1 : 1 + more / rest;
    if (PLACES) part = alone ? 0 : (tile - whole) / rest;
    if (PLACES) tile -= part * rest;
    else if (!alone) tile = whole + (tile - whole) / SHARE;
    int band = tile / (wide * BAND) * BAND, in = tile - band * wide;
    int high = min(BAND, tiles / wide - band);
    int row0 = (band + in % high) * TILE_M;
    int col0 = in / high * TILE_N;
    int row = warp / WARPS_N * 4 * RESULTS_M + lane / 2 % 4 * 4;
    int col = warp % WARPS_N * 8 * RESULTS_N
        + (lane % 2 + lane / 8 * 2) * 4;
    int all = UP(K, DEPTH), range = alone ? all : UP(all, SHARE);
    int k_first = alone ? 0 : part * range * DEPTH;
    if (PLACES && !alone) {
        // The first takes as long as all rounds of the others.
        int rounds = UP(more, PLACES - rest);
        int first = (rounds - 1) * (groups - 1) * AROUND;
        first += rounds * all;
        first = min(all, first / (rounds + groups - 1));
        range = part ? UP(all - first, groups - 1) : first;
        k_first = part ? (first + (part - 1) * range) * DEPTH : 0;
    }
    int k_end = min(K, k_first + range * DEPTH);
    // What this thread copies in each step; past an edge, the edge.
    unsigned a_at[EACH_A], b_at[EACH_B];
    int k_own = k_first + slice * PART;
#if !TURNED
    float* T = C;
#endif
    int line = T_LINE(M, N), b_line = PADS ? line : N;
    int b_end = (PADS ? PADDED(N, 4) : N) - col0;
    const float* b_from = PADS ? T + OWN_B(M) : B;
    float* counts = T + (long long)K * line;
    b_from += (long long)k_own * b_line + col0;
    int a_line = OF_A ? line : 1;
    const float* a_from = OF_A
        ? T + (long long)k_own * a_line + row0
        : A + (long long)row0 * K + k_own + t % PART;
    int a_to = slice * PANEL + (OF_A ? t * 4
        : t % PART * A_LINE + t / PART);
    for (int i = 0; i < EACH_A; ++i) {
        int e = (i * GROUP + t) * WIDTH_A;
        a_at[i] = OF_A ? e / TILE_M * a_line + e % TILE_M
                       : min(e / PART, M - 1 - row0) * K;
    }
    for (int i = 0; i < EACH_B; ++i) {
        int e = (i * GROUP + t) * WIDTH_B, n = e % TILE_N;
        b_at[i] = e / TILE_N * b_line + min(n, b_end - WIDTH_B);
    }
    int b_to = slice * PANEL + A_PART + t * WIDTH_B;
    // A burst of the copies of a step. Those tested for zeros past
    // the range are two instructions each: in most steps none is.
    auto load = [&](int stage, int k0, bool in, int burst, int of) {
        float* to = shared + stage * STAGE;
        int left = k_end - k0 - slice * PART;
        #pragma unroll
        for (int c = 0; c < EACH_A + EACH_B; ++c) {
            if (c * of / (EACH_A + EACH_B) != burst) continue;
            bool of_a = c < EACH_A;
            int i = of_a ? c : c - EACH_A, e = i * GROUP + t;
            if (of_a && e < A_COPIES) {
                int k = OF_A ? e * 4 / TILE_M : t % PART;
                int next = i * GROUP * 4 / (OF_A ? 1 : 4 * PART);
                copy(to + a_to + next, a_from + a_at[i],
                     4 * WIDTH_A, in || k < left);
            } else if (!of_a && e < B_COPIES)
                copy(to + b_to + i * GROUP * WIDTH_B,
                     b_from + b_at[i], 4 * WIDTH_B,
                     in || e * WIDTH_B / TILE_N < left);
        }
        if (burst + 1 < of) return;
        a_from += (long long)DEPTH * a_line;
        b_from += (long long)DEPTH * b_line;
        __pipeline_commit();
    };
    __align__(16) float a[2][RESULTS_M], b[2][RESULTS_N];
    float sum[RESULTS_M][RESULTS_N] = {};
    const float* As = shared + slice * PANEL + row;
    const float* Bs = shared + slice * PANEL + A_PART + col;
    auto read = [&](int to, int stage, int k) {
        const float* from = As + stage * STAGE + k * A_LINE;
        for (int i = 0; i < RESULTS_M; i += 4)
            FLOAT4(a[to][i]) = FLOAT4(from[i * 4]);
        from = Bs + stage * STAGE + k * TILE_N;
        for (int j = 0; j < RESULTS_N; j += 4)
            FLOAT4(b[to][j]) = FLOAT4(from[j * 8]);
    };
    asm volatile("griddepcontrol.wait;" ::: "memory");
    for (int s = 0; s < STAGES - 1; ++s)
        load(s, k_first + s * DEPTH, false, 0, 1);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    read(0, 0, 0);
    int now = 0, free = STAGES - 1, k0 = k_first;
    auto step = [&](int k0, bool in) {
        int next = now + 1 < STAGES ? now + 1 : 0;
        #pragma unroll
        for (int k = 0; k < PART; ++k) {
            bool last = k + 1 == PART;
            int burst = k * BURSTS / PART;
            // Everybody left this stage before the last barrier.
            if (k == UP(burst * PART, BURSTS))
                load(free, k0 + AHEAD, in, burst, BURSTS);
            if (last) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
            }
            read((k + 1) % 2, last ? next : now, (k + 1) % PART);
            for (int r = 0; r < RESULTS_M; ++r)
                for (int q = 0; q < RESULTS_N; ++q) {
                    int j = r % 2 == 0 ? q : RESULTS_N - 1 - q;
                    sum[r][j] += a[k % 2][r] * b[k % 2][j];
                }
        }
        free = now, now = next;
    };
    for (; k0 + AHEAD + DEPTH <= k_end; k0 += DEPTH) step(k0, true);
    for (; k0 < k_end; k0 += DEPTH) step(k0, false);

    // Not the sums themselves: see matmul_fastest.cu. Alpha alone,
    // not one from all lanes, would be read again with each store.
    float f = __int_as_float(
        __reduce_or_sync(0xffffffff, __float_as_int(alpha)));
    auto quad = [&](unsigned q) {
        float* s = &sum[q * 4 / RESULTS_N][q * 4 % RESULTS_N];
        return make_float4(f * s[0], f * s[1], f * s[2], f * s[3]);
    };
    // Many results that are not whole float4s: a warp sets out four
    // rows of 32, and stores 32 neighbours at a time.
    int down = lane / 2 % 4 * 4, across = col % (8 * RESULTS_N);
    if (SETS_OUT) row -= down, col += lane - across;
    int m_left = M - row0 - row, n_left = N - col0 - col;
    C += (long long)(row0 + row) * N + col0 + col;
    auto store_quad = [&](unsigned q, float4 v, float* to) {
        int i = q * 4 / RESULTS_N % 4 + q * 4 / RESULTS_N / 4 * 16;
        int j = q * 4 % RESULTS_N * 8;
        if (SETS_OUT) {
            __syncwarp();
            FLOAT4(to[down * 8 + across]) = v;
            __syncwarp();
        }
        for (int e = 0; e < 4; e += SETS_OUT ? 1 : WIDTH) {
            int m = i + SETS_OUT * e * 4, n = j + !SETS_OUT * e;
            float one = SETS_OUT ? to[e * 32 + lane] : (&v.x)[e];
            unsigned at = m * N + n;
            if (m >= m_left || n >= n_left) continue;
            if (WIDTH == 4) FLOAT4(C[at]) = v;
            else if (WIDTH == 2 && !SETS_OUT)
                *(float2*)&C[at] = *(float2*)(&v.x + e);
            else C[at] = one;
        }
    };

    // The stages are read to the end: now they hold results.
    __pipeline_wait_prior(0);
    __syncthreads();
    float* of_warp = shared + (thread - lane) * 4;
    if (SLICES == 1 && alone) {
        #pragma unroll
        for (int q = 0; q < QUADS; ++q)
            store_quad(q, quad(q), of_warp + q % 4 * THREADS * 4);
        return;
    }
    for (int q = 0; q < QUADS; ++q)
        FLOAT4(shared[(q * THREADS + thread) * 4]) = quad(q);
    meet(alone);
    int first = alone ? rank : 0, blocks = alone ? 1 : CLUSTER;
    unsigned own = (rank - first) * SLICES + slice;
    int set = part / CLUSTER * QUADS;
    int* count = (int*)counts + tile * CLUSTER + rank;
    float* parts = counts + PADDED(tiles * CLUSTER, 4) + t * 4
        + (long long)(tile - whole) * groups * TILE_M * TILE_N;
    #pragma unroll 4
    for (unsigned q = own; q < QUADS; q += blocks * SLICES) {
        float4 v = {};
        for (int p = 0; p < blocks * SLICES; ++p) {
            int at = q * THREADS + p % SLICES * GROUP + t;
            add(v, read_from(first + p / SLICES, shared + at * 4));
        }
        if (GROUPS == 1 || alone)
            store_quad(q, v, of_warp + q * THREADS * 4);
        else FLOAT4(parts[(set + q) * GROUP * 4]) = v;
    }
    if (!alone) meet(alone); // Others may still read here.
    if (GROUPS == 1 || alone) return;
    __threadfence();
    __syncthreads();
    int seen = thread == 0 ? atomicAdd(count, 1) + 1 : groups;
    bool ends = seen == groups;
    for (int i = 0; i < PATIENCE && seen < groups; ++i)
        seen = atomicAdd(count, 0);
    for (int* turn = (int*)shared;; ends = false, __syncthreads()) {
        if (thread == 0) *turn = ends ? 0 : seen < groups
            ? SHARES : atomicAdd(count, 1) - groups + 1;
        __syncthreads();
        int q0 = own + *turn * EACH * STEP;
        if (*turn >= SHARES) return;
        __threadfence();
        float4 v[EACH] = {};
        #pragma unroll 8
        for (int g = 0; g < groups; ++g)
            for (int i = 0, q = q0; i < EACH; ++i, q += STEP)
                if (q < QUADS) add(v[i],
                    FLOAT4(parts[(g * QUADS + q) * GROUP * 4]));
        for (int i = 0, q = q0; i < EACH; ++i, q += STEP)
            if (q < QUADS) store_quad(q, v[i], of_warp + 32);
        if (SHARES == 1) return;
    }
}
