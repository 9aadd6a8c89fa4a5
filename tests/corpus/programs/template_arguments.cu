// Kernels that are templates of templates, of packs and of functions.
#include <cstdio>
namespace ops { template <class T> struct Plus { __device__ T operator()(T a, T b) const { return a + b; } }; }
__device__ float twice(float x) { return 2 * x; }
template <class T, template <class> class Op, int B> __global__ void k1(T* d) { d[threadIdx.x] = Op<T>()(d[threadIdx.x], T(B)); }
template <class... T> __global__ void k2(float* d, T... v) { float s = 0; ((s += v), ...); d[threadIdx.x] += s; }
template <float (*F)(float)> __global__ void k3(float* d) { d[threadIdx.x] = F(d[threadIdx.x]); }
int main() {
    float h[4] = {1, 2, 3, 4}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    k1<float, ops::Plus, 3><<<1, 4>>>(d);
    k2<<<1, 4>>>(d, 1, 2.5f, 3.0);
    k3<twice><<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (float x : h) printf("%g ", x);
    printf("\n");
    cudaFree(d);
}
