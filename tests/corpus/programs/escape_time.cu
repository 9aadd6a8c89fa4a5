// Escape times of two sets: a table of device functions, numbers of cuComplex.h, rows with a pitch.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cuComplex.h>
#include <cuda_runtime.h>
struct View { double x0, y0, x1, y1; int w, h, limit; };
typedef int (*Iterate)(double, double, int);
__device__ int mandel(double x, double y, int limit) { cuDoubleComplex z = make_cuDoubleComplex(0, 0), c = make_cuDoubleComplex(x, y); int i = 0; while (i < limit && cuCabs(z) < 2.0) { z = cuCadd(cuCmul(z, z), c); ++i; } return i; }
__device__ int julia(double x, double y, int limit) { cuDoubleComplex z = make_cuDoubleComplex(x, y); const cuDoubleComplex c = make_cuDoubleComplex(-0.8, 0.156); int i = 0; for (; i < limit && cuCreal(z) * cuCreal(z) + cuCimag(z) * cuCimag(z) < 4.0; ++i) z = cuCadd(cuCmul(z, z), c); return i; }
__device__ Iterate d_mandel = mandel, d_julia = julia;
__global__ void draw(unsigned char* out, size_t pitch, View v, Iterate f) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < v.w && y < v.h) {
        double cx = v.x0 + (v.x1 - v.x0) * x / (v.w - 1), cy = v.y0 + (v.y1 - v.y0) * y / (v.h - 1);
        (out + y * pitch)[x] = (unsigned char)f(cx, cy, v.limit);
    }
}
int main(int argc, char* argv[]) {
    View v = {-2.0, -1.0, 0.7, 1.0, 60, 20, 40};
    for (int i = 1; i + 1 < argc; i += 2) { std::string a = argv[i]; if (a == "-w") v.w = std::stoi(argv[i + 1]); else if (a.rfind("-h", 0) == 0) v.h = std::atoi(argv[i + 1]); }
    unsigned char* d; size_t pitch;
    if (cudaMallocPitch(&d, &pitch, v.w, v.h) != cudaSuccess) return 1;
    Iterate host[2];
    cudaMemcpyFromSymbol(&host[0], d_mandel, sizeof(Iterate)); cudaMemcpyFromSymbol(&host[1], d_julia, sizeof(Iterate));
    const char shades[] = " .:-=+*#%@";
    for (Iterate f : host) {
        draw<<<dim3((v.w + 15) / 16, (v.h + 7) / 8), dim3(16, 8)>>>(d, pitch, v, f);
        std::vector<unsigned char> img(v.w * v.h);
        cudaMemcpy2D(img.data(), v.w, d, pitch, v.w, v.h, cudaMemcpyDeviceToHost);
        for (int y = 0; y < v.h; ++y, putchar('\n')) for (int x = 0; x < v.w; ++x) putchar(shades[img[y * v.w + x] * 9 / v.limit]);
    }
    cudaFree(d);
}
