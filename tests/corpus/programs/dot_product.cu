#include <cstdio>
#include <cmath>

__inline__ __device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

__global__ void dot(const float* a, const float* b, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

int main() {
    const int n = 500;
    float a[n], b[n], result = 0, *da, *db, *dr;
    for (int i = 0; i < n; ++i) { a[i] = i % 10; b[i] = 2; }
    cudaMalloc(&da, n * sizeof(float));
    cudaMalloc(&db, n * sizeof(float));
    cudaMalloc(&dr, sizeof(float));
    cudaMemcpy(da, a, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(dr, 0, sizeof(float));
    dot<<<2, 64>>>(da, db, dr, n);
    cudaMemcpy(&result, dr, sizeof(float), cudaMemcpyDeviceToHost);
    printf("dot = %.1f, norm = %.4f\n", result, sqrtf(result));
    cudaFree(da);
    cudaFree(db);
    cudaFree(dr);
    return result == 4500.0f ? 0 : 1;
}
