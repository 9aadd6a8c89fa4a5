// Heat in a box: three dimensions of blocks, a struct in constant memory, planes that cudaMalloc3D aligns and cudaMemcpy3D copies.
#include <cstdio>
#include <utility>
#include <vector>
#include <cmath>
#include <cuda_runtime.h>
#define IDX(x, y, z) ((z) * NX * NY + (y) * NX + (x))
static const int NX = 16, NY = 12, NZ = 10;
struct Params { float alpha; int3 size; };
__constant__ Params P;
__global__ __launch_bounds__(128) void heat(const float* __restrict__ u, float* __restrict__ v) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    const int3 s = P.size;
    if (x >= s.x || y >= s.y || z >= s.z) return;
    auto at = [&](int i, int j, int k) { return u[(k * s.y + j) * s.x + i]; };
    const float c = at(x, y, z);
    if (x == 0 || y == 0 || z == 0 || x == s.x - 1 || y == s.y - 1 || z == s.z - 1) { v[(z * s.y + y) * s.x + x] = c; return; }
    v[(z * s.y + y) * s.x + x] = c + P.alpha * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1) - 6.0f * c);
}
__global__ void plane(cudaPitchedPtr p, float* sums, int w, int h, int d) {
    int z = threadIdx.x;
    if (z >= d) return;
    const char* base = (const char*)p.ptr + z * p.pitch * p.ysize;
    float s = 0;
    for (int y = 0; y < h; ++y) { const float* row = (const float*)(base + y * p.pitch); for (int x = 0; x < w; ++x) s += row[x]; }
    sums[z] = s;
}
int main() {
    const size_t n = NX * NY * NZ, bytes = n * sizeof(float);
    std::vector<float> u(n, 0.f), w(n), r(n);
    for (int y = 0; y < NY; ++y) for (int x = 0; x < NX; ++x) u[IDX(x, y, 0)] = 100.f;
    Params p{0.1f, make_int3(NX, NY, NZ)};
    cudaMemcpyToSymbol(P, &p, sizeof p);
    float *a, *b;
    cudaMalloc(&a, bytes); cudaMalloc(&b, bytes);
    cudaMemcpy(a, u.data(), bytes, cudaMemcpyHostToDevice);
    dim3 block(8, 4, 4), grid((NX + 7) / 8, (NY + 3) / 4, (NZ + 3) / 4);
    w = u;
    for (int t = 0; t < 20; ++t) {
        heat<<<grid, block>>>(a, b);
        std::swap(a, b);
        std::vector<float> next = w;
        for (int z = 1; z < NZ - 1; ++z) for (int y = 1; y < NY - 1; ++y) for (int x = 1; x < NX - 1; ++x) {
            float c = w[IDX(x, y, z)];
            next[IDX(x, y, z)] = c + 0.1f * (w[IDX(x - 1, y, z)] + w[IDX(x + 1, y, z)] + w[IDX(x, y - 1, z)] + w[IDX(x, y + 1, z)] + w[IDX(x, y, z - 1)] + w[IDX(x, y, z + 1)] - 6 * c);
        }
        w.swap(next);
    }
    cudaMemcpy(r.data(), a, bytes, cudaMemcpyDeviceToHost);
    float worst = 0;
    for (size_t i = 0; i < n; ++i) worst = fmaxf(worst, fabsf(r[i] - w[i]));
    printf("worst %s\n", worst < 1e-3f ? "small" : "large");
    for (int z = 0; z < 4; ++z) printf("%d: %8.3f\n", z, r[IDX(8, 6, z)]);
    cudaExtent e = make_cudaExtent(NX * sizeof(float), NY, NZ);
    cudaPitchedPtr pp;
    cudaMalloc3D(&pp, e);
    cudaMemcpy3DParms parms = {0};
    parms.srcPtr = make_cudaPitchedPtr(r.data(), NX * sizeof(float), NX, NY);
    parms.dstPtr = pp; parms.extent = e; parms.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&parms);
    float *ds, hs[NZ];
    cudaMalloc(&ds, sizeof hs);
    plane<<<1, 32>>>(pp, ds, NX, NY, NZ);
    cudaMemcpy(hs, ds, sizeof hs, cudaMemcpyDeviceToHost);
    printf("%.1f %.1f %.1f\n", hs[0], hs[1], hs[NZ - 1]);
    cudaFree(pp.ptr); cudaFree(ds); cudaFree(a); cudaFree(b);
}
