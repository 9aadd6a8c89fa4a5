// status: 139
// finds: use-after-free 19
// A function outlives what it has captured by reference.
#include <cstdio>
#include <functional>
#include <vector>
#include "check.h"

__global__ void scale(float *p, float by) { p[threadIdx.x] *= by; }

int main() {
    std::vector<std::function<float()>> readers;
    float *d;
    CHECK(cudaMalloc(&d, 4 * sizeof(float)));
    CHECK(cudaMemset(d, 0, 4 * sizeof(float)));
    for (int i = 0; i < 2; ++i) {
        float *row = new float[4];
        for (int k = 0; k < 4; ++k) row[k] = i + k;
        readers.push_back([row]() { return row[1]; });
        CHECK(cudaMemcpy(d, row, 4 * sizeof(float), cudaMemcpyHostToDevice));
        scale<<<1, 4>>>(d, 2.0f);
        CHECK(cudaMemcpy(row, d, 4 * sizeof(float), cudaMemcpyDeviceToHost));
        printf("%.1f\n", readers.back()());
        delete[] row;
    }
    printf("%d readers\n", (int)readers.size());
    float lost = readers[0]();
    printf("%d\n", lost == lost);
    CHECK(cudaFree(d));
    return 0;
}
