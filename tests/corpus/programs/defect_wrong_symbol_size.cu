// finds: copy-out-of-bounds 22
// A list of weights longer than the constant that it is copied to; the message comes from a stored function.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>
#include <cuda_runtime.h>

__constant__ float weights[4];
__global__ void weigh(float *p) { p[threadIdx.x] *= weights[threadIdx.x % 4]; }

int main() {
    std::vector<std::string> log;
    std::function<bool(cudaError_t)> ok = [&log](cudaError_t e) {
        if (e != cudaSuccess) log.push_back(cudaGetErrorString(e));
        return e == cudaSuccess;
    };
    std::vector<float> w(6, 0.5f), v(8, 2.0f);
    float *d;
    ok(cudaMalloc(&d, 8 * sizeof(float)));
    ok(cudaMemcpy(d, v.data(), 8 * sizeof(float), cudaMemcpyHostToDevice));
    if (!ok(cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(float)))) printf("not set\n");
    weigh<<<1, 8>>>(d);
    ok(cudaMemcpy(v.data(), d, 8 * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%.1f %.1f\n", v[0], v[7]);
    for (auto &text : log) printf("%s\n", text.c_str());
    ok(cudaFree(d));
    return 0;
}
