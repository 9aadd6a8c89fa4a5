// A bilateral filter whose small functions stand in a header beside it.
#include "include/grid_index.cuh"
#include "book.h"
#include <npp.h>

__constant__ float spatial[5][5] = {
    {0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f}, {0.125f, 0.25f, 0.5f, 0.25f, 0.125f}, {0.25f, 0.5f, 1.0f, 0.5f, 0.25f},
    {0.125f, 0.25f, 0.5f, 0.25f, 0.125f},      {0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f}};

__global__ void bilateral(const float* in, float* out, int width, int height, float range)
{
    const auto [x, y] = this_pixel();
    if (!this_pixel().inside(width, height)) return;
    const float centre = in[y * width + x];
    float total = 0, weights = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const float value = clamped(in, x + dx, y + dy, width, height);
            const float weight = spatial[dy + 2][dx + 2] / (1.0f + range * fabsf(value - centre));
            total += weight * value;
            weights += weight;
        }
    out[y * width + x] = total / weights;
}

int main(void)
{
    HANDLE_ERROR(cudaMemcpyToSymbol(spatial, host_weights(), sizeof(spatial)));
    bilateral<<<dim3(4, 4), dim3(16, 16)>>>(dev_in, dev_out, DIM, DIM, 4.0f);
    return 0;
}
