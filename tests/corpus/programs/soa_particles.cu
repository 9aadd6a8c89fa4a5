// Particles as a structure of arrays with a constructor, constant forces, __launch_bounds__ and a report as a table.
// finds: launch-failed 77
#include <cuda_runtime.h>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

inline void check(cudaError_t code, const char* what, const char* file, int line)
{
    if (code != cudaSuccess) {
        std::ostringstream text;
        text << file << ":" << line << " " << what << ": " << cudaGetErrorString(code);
        throw std::runtime_error(text.str());
    }
}
#define CUDA(x) check((x), #x, __FILE__, __LINE__)

__constant__ float3 gravity;
__constant__ float damping[4];

struct Particles {
    float *x, *y, *z, *vx, *vy, *vz;
    int count;
    explicit Particles(int n) : count(n)
    {
        float** all[] = {&x, &y, &z, &vx, &vy, &vz};
        for (float** each : all)
            CUDA(cudaMallocManaged(each, n * sizeof(float)));
    }
    void release()
    {
        for (float* each : {x, y, z, vx, vy, vz})
            CUDA(cudaFree(each));
    }
};

__global__ void __launch_bounds__(64) move(Particles p, float dt, int kind)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= p.count)
        return;
    const float keep = damping[kind];
    p.vx[i] = keep * p.vx[i] + gravity.x * dt;
    p.vy[i] = keep * p.vy[i] + gravity.y * dt;
    p.vz[i] = keep * p.vz[i] + gravity.z * dt;
    p.x[i] += p.vx[i] * dt;
    p.y[i] += p.vy[i] * dt;
    p.z[i] += p.vz[i] * dt;
    if (p.z[i] < 0) {
        p.z[i] = -p.z[i];
        p.vz[i] = -p.vz[i];
    }
}

int main() try {
    const float3 g = make_float3(0.f, 0.5f, -9.75f);
    const float kept[4] = {1.f, 0.75f, 0.5f, 0.25f};
    CUDA(cudaMemcpyToSymbol(gravity, &g, sizeof g));
    CUDA(cudaMemcpyToSymbol(damping, kept, sizeof kept));
    Particles p(100);
    for (int i = 0; i < p.count; ++i) {
        p.x[i] = i;
        p.y[i] = -i;
        p.z[i] = i % 7;
        p.vx[i] = 1.f / (1 + i % 4);
        p.vy[i] = p.vz[i] = 0.f;
    }
    for (int step = 0; step < 8; ++step)
        move<<<(p.count + 63) / 64, 64>>>(p, 0.125f, step % 2);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    std::cout << std::fixed << std::setprecision(3);
    for (int i = 0; i < p.count; i += 13)
        std::cout << std::setw(4) << i << std::setw(10) << p.x[i] << std::setw(10) << p.y[i] << std::setw(10) << p.z[i] << "\n";
    move<<<1, 2048>>>(p, 0.125f, 0);
    try {
        CUDA(cudaGetLastError());
        std::cout << "ran\n";
    } catch (const std::runtime_error& error) {
        std::string text = error.what();
        std::cout << "refused:" << text.substr(text.find(' ')) << "\n";
    }
    p.release();
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
}
