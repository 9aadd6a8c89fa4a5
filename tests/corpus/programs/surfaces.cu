// Surfaces over an array: read and written by bytes along x, clamped or zero beyond the border; a texture reads what was written.
#include <cstdio>
__global__ void k(cudaSurfaceObject_t s, float* out) {
    int x = threadIdx.x % 8, y = threadIdx.x / 8; float v;
    surf2Dread(&v, s, 4 * x, y);
    out[threadIdx.x] = v + surf2Dread<float>(s, 4 * (x + 1), y, cudaBoundaryModeClamp) + surf2Dread<float>(s, -4, y, cudaBoundaryModeZero);
    __syncwarp();
    surf2Dwrite(v + 100.0f, s, 4 * x, y);
    surf2Dwrite(7.0f, s, 4 * (x + 8), y, cudaBoundaryModeZero);
}
__global__ void read(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x % 8 + 0.5f, threadIdx.x / 8 + 0.5f); }
int main() {
    float a[32], *o; for (int i = 0; i < 32; ++i) a[i] = i;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(); cudaArray_t arr; cudaMallocArray(&arr, &f, 8, 4, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(arr, 0, 0, a, 32, 32, 4, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = arr;
    cudaTextureDesc td = {}; cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &td, nullptr);
    cudaSurfaceObject_t s; if (cudaCreateSurfaceObject(&s, &r)) printf("no surface\n");
    cudaMalloc(&o, sizeof a); k<<<1, 32>>>(s, o); cudaMemcpy(a, o, sizeof a, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", a[0], a[7], a[31]);
    read<<<1, 32>>>(t, o); cudaMemcpy(a, o, sizeof a, cudaMemcpyDeviceToHost); printf("%g %g\n", a[0], a[31]);
    cudaFree(o);
    cudaDestroySurfaceObject(s);
    cudaDestroyTextureObject(t);
    cudaFreeArray(arr);
}
