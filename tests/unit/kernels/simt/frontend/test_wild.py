"""Programs in the styles that are found in the wild: each kernel is found, without a remark, whatever the host code around it calls."""

from __future__ import annotations

import pytest

from kernels.simt.frontend.parse import parse

HOST = """
int main(int argc, char** argv) {
    std::vector<float> h(n, 1.0f);
    float *d; cudaMalloc((void**)&d, n * sizeof(float));
    CHECK(cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    dim3 block(16, 16), grid(div_up(n, 16), div_up(n, 16));
    auto start = std::chrono::high_resolution_clock::now();
    auto show = [&](auto x) { std::cout << x << std::endl; };
    kernel<<<grid, block, 0, stream>>>(d, n);
    for (auto& x : h) show(x);
    try { run(); } catch (const std::exception& e) { std::cerr << e.what(); }
    return EXIT_SUCCESS;
}
"""
WILD = {
    "a whole program": (
        """#include <iostream>
#include <vector>
#include <cuda_runtime.h>
#include "helper_cuda.h"
#include <thrust/device_vector.h>
using namespace std;
#define CHECK(call) do { cudaError_t err = call; if (err != cudaSuccess) { puts(cudaGetErrorString(err)); exit(1); } } while (0)
__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
std::vector<float> make(int n) { std::vector<float> v(n); std::iota(v.begin(), v.end(), 0); return v; }
typedef thrust::device_vector<int> Vector;
"""
        + HOST,
        ["add"],
    ),
    "guarded tiles for any size": (
        """#define TILE_WIDTH 16
__global__ void MatrixMulKernel(float* M, float* N, float* P, int Width) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH], Nds[TILE_WIDTH][TILE_WIDTH];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty, Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;
    for (int ph = 0; ph < ceil(Width / (float)TILE_WIDTH); ++ph) {
        Mds[ty][tx] = Row < Width && ph * TILE_WIDTH + tx < Width ? M[Row * Width + ph * TILE_WIDTH + tx] : 0.0f;
        Nds[ty][tx] = ph * TILE_WIDTH + ty < Width && Col < Width ? N[(ph * TILE_WIDTH + ty) * Width + Col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE_WIDTH; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (Row < Width && Col < Width) P[Row * Width + Col] = Pvalue;
}""",
        ["MatrixMulKernel"],
    ),
    "float4 macros and template block sizes": (
        """#define FETCH_FLOAT4(pointer) (reinterpret_cast<float4*>(&(pointer))[0])
#define OFFSET(row, col, ld) ((row) * (ld) + (col))
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
sgemmVectorize(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
    __shared__ float As[BM * BK], Bs[BK * BN];
    float threadResults[TM * TN] = {0.0}, regM[TM] = {0.0}, regN[TN] = {0.0};
    const uint cRow = blockIdx.y, cCol = blockIdx.x;
    A += cRow * BM * K;
    float4 tmp = FETCH_FLOAT4(A[OFFSET(threadIdx.x / 2, threadIdx.x % 2 * 4, K)]);
    As[threadIdx.x] = tmp.x + __ldg(&B[cCol]);
    FETCH_FLOAT4(Bs[threadIdx.x * 4]) = FETCH_FLOAT4(B[threadIdx.x * 4]);
    __syncthreads();
    C[threadIdx.x] = alpha * threadResults[0] + beta * regM[0] * regN[0] + As[0] + Bs[1];
}
template __global__ void sgemmVectorize<64, 64, 8, 8, 8>(int, int, int, float, float*, float*, float, float*);""",
        ["sgemmVectorize"],
    ),
    "warp reduction": (
        """template <typename T> __inline__ __device__ T warpReduceSum(T val) {
    for (int offset = warpSize / 2; offset > 0; offset >>= 1) val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
template <typename T, unsigned int blockSize> __global__ void reduce6(const T *__restrict__ g_idata, T *g_odata, unsigned int n) {
    extern __shared__ unsigned char raw[];
    T *sdata = reinterpret_cast<T *>(raw);
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid;
    T sum = 0;
    while (i < n) { sum += g_idata[i]; if (i + blockSize < n) sum += g_idata[i + blockSize]; i += blockSize * 2 * gridDim.x; }
    sdata[tid] = sum; __syncthreads();
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (tid < 32) sum = warpReduceSum(sdata[tid]);
    if (tid == 0) atomicAdd(g_odata, sum);
}""",
        ["reduce6"],
    ),
    "scan, histogram and global variables": (
        """__device__ unsigned int counter = 0;
__constant__ float filter[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
extern __shared__ int scratch[];
__global__ void histogram(const unsigned char *in, unsigned int *bins, size_t n) {
    __shared__ unsigned int local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(bins + i, local[i]);
    if (threadIdx.x == 0) atomicInc(&counter, gridDim.x);
}
__global__ void scan(int *data, int n) {
    int t = threadIdx.x; scratch[t] = data[t]; __syncthreads();
    for (int d = 1; d < n; d <<= 1) { int v = t >= d ? scratch[t - d] : 0; __syncthreads(); scratch[t] += v; __syncthreads(); }
    data[t] = scratch[t] * filter[t % 9];
}""",
        ["histogram", "scan"],
    ),
    "cooperative groups": (
        """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sum(int *input, int *output, int n) {
    auto block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int value = block.thread_rank() < n ? input[block.thread_rank()] : 0;
    for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
    int all = cg::reduce(tile, value, cg::plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(output, value + all);
    cg::sync(block); block.sync();
}""",
        ["sum"],
    ),
    "half precision and wmma": (
        """#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
#define M 16
#define N 16
#define K 16
__global__ void wmma_example(half *a, half *b, float *c) {
    wmma::fragment<wmma::matrix_a, M, N, K, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(acc, fa, fb, acc);
    for (int i = 0; i < acc.num_elements; i++) acc.x[i] *= 2.0f;
    wmma::store_matrix_sync(c, acc, 16, wmma::mem_row_major);
}
__global__ void axpy(half *x, half2 *y, half a) { x[threadIdx.x] = __hfma(a, x[threadIdx.x], __float2half(1.0f));
    y[0] = __hadd2(y[0], y[1]); }""",
        ["wmma_example", "axpy"],
    ),
    "asynchronous copies": (
        """#include <cuda_pipeline.h>
__global__ void staged(float *out, const float *in) {
    __shared__ alignas(16) float tile[2][128];
    __pipeline_memcpy_async(&tile[0][threadIdx.x * 4], &in[threadIdx.x * 4], sizeof(float4));
    __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();
    out[threadIdx.x] = tile[0][threadIdx.x];
}""",
        ["staged"],
    ),
    "structs with host methods": (
        """typedef struct { int width, height, stride; float* elements; } Matrix;
class Buffer { public: float* data; Buffer(int n) { cudaMalloc(&data, n); } ~Buffer() { cudaFree(data); }
    void fill() { std::fill(data, data + 3, 0); } __device__ float at(int i) const { return data[i]; } };
__device__ float GetElement(const Matrix A, int row, int col) { return A.elements[row * A.stride + col]; }
__device__ Matrix GetSub(Matrix A, int r, int c) { Matrix S; S.width = 16; S.elements = &A.elements[A.stride * 16 * r + 16 * c]; return S; }
__global__ void copy(Matrix A, Matrix C, Buffer b) { Matrix S = GetSub(A, 0, 1); C.elements[threadIdx.x] = GetElement(S, 0, 1) + b.at(3);
}""",
        ["copy"],
    ),
    "bitonic sort": (
        """__device__ inline void swap(int &a, int &b) { int t = a; a = b; b = t; }
__global__ static void bitonicSort(int *values, int num) {
    extern __shared__ int shared[];
    const unsigned int tid = threadIdx.x;
    shared[tid] = values[tid]; __syncthreads();
    for (unsigned int k = 2; k <= num; k *= 2) for (unsigned int j = k / 2; j > 0; j /= 2) {
        unsigned int ixj = tid ^ j;
        if (ixj > tid) { if ((tid & k) == 0) { if (shared[tid] > shared[ixj]) swap(shared[tid], shared[ixj]); }
            else if (shared[tid] < shared[ixj]) swap(shared[tid], shared[ixj]); }
        __syncthreads();
    }
    values[tid] = shared[tid];
}""",
        ["bitonicSort"],
    ),
    "stencil with limits and enums": (
        """#include <cfloat>
#include <climits>
#include <math_constants.h>
enum class Edge { Clamp, Wrap };
constexpr int RADIUS = 3; static const int BLOCK = 1 << 7;
template <Edge edge> __device__ int at(int i, int n) { return edge == Edge::Clamp ? min(max(i, 0), n - 1) : (i + n) % n; }
__global__ void stencil(const double *in, double *out, int n) {
    __shared__ double temp[BLOCK + 2 * RADIUS];
    double best = -DBL_MAX; float f = FLT_MAX; int least = INT_MIN;
    switch (n % 3) { case 0: best = CUDART_INF; break; case 1: default: best += pow(2.0, RADIUS) + sqrtf(f) + least; }
    temp[threadIdx.x] = in[at<Edge::Wrap>(threadIdx.x, n)];
    assert(temp[0] < best); out[threadIdx.x] = fmax(best, temp[threadIdx.x]);
    printf("%d %f\\n", n, best);
}""",
        ["stencil"],
    ),
    "the architecture asked for": (
        """#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double* a, double b) { return b; }
#endif
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif
struct HD_Pair { int a; float b; HD HD_Pair(int a, float b) : a(a), b(b) {} HD float sum() const { return a + b; } };
__global__ void k(double *p) { HD_Pair q(1, 2.0f); atomicAdd(p, (double)q.sum()); }""",
        ["k"],
    ),
    "kernels for an extension": (
        """#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
template <typename scalar_t> __global__ void scale(scalar_t* __restrict__ x, const scalar_t s, const int64_t n) {
    const auto i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= s;
}
torch::Tensor scale_cuda(torch::Tensor x, double s) {
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", ([&] { scale<scalar_t><<<1, 2>>>(x.data_ptr<scalar_t>(), s, x.numel()); }));
    return x;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale", &scale_cuda, "scale"); }""",
        ["scale"],
    ),
    "in namespaces and C linkage": (
        """namespace lab { namespace {
__global__ void hidden(int* p) { *p = 1; }
} namespace v2 { __global__ void shown(int* p); } }
extern "C" { __global__ void plain(int p[], unsigned long long* q) { p[0] = 2; atomicMax(q, 3ull); } }
__global__ void lab::v2::shown(int* p) { *p = __popc(*p) + __clz(*p) + __ffs(*p) + __float_as_int(1.0f); }""",
        ["lab::hidden", "lab::v2::shown", "plain"],
    ),
    "swizzled transpose with lambdas outside": (
        """auto host_only = [](int x) { return undeclared(x); };
const dim3 threads(32, 8);
__global__ void transpose(float *__restrict odata, const float *__restrict idata, int width) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x ^ (threadIdx.y + j)] = idata[(y + j) * width + x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8) odata[(x + j) * width + y] = tile[threadIdx.x][(threadIdx.y + j) ^ threadIdx.x];
}
void check(const std::string& name, std::function<float(int)> f) { ASSERT_EQ(name, f(3)); throw std::runtime_error("x"); }
TEST(Suite, Case) { run_undeclared(); }""",
        ["transpose"],
    ),
    "registrations without a semicolon": (
        """REGISTER_OPERATOR(Add, float)
__global__ void first(float* p) { p[0] = 1; }
BEGIN_SUITE("second")
template <int N> __global__ void second(float* p) { p[N] = 1; }
END_SUITE()
""",
        ["first", "second"],
    ),
}


@pytest.mark.parametrize("style", WILD)
def test_each_kernel_is_found_without_a_remark(style: str) -> None:
    text, names = WILD[style]
    unit = parse(text)
    assert [kernel.name for kernel in unit.kernels] == names
    assert [str(each) for each in unit.diagnostics] == []
    for kernel in unit.kernels:
        if not kernel.template:
            assert unit.function_cursor(kernel.name).is_definition()
