// A convolution with its mask in constant memory and a halo in shared memory.
#include <cstdio>
#include <vector>

#define RADIUS 3
#define BLOCK 32
__constant__ int mask[2 * RADIUS + 1];

__global__ void convolve(const int *in, int *out, int n) {
    __shared__ int part[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x, place = threadIdx.x + RADIUS;
    part[place] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        part[threadIdx.x] = i >= RADIUS && i - RADIUS < n ? in[i - RADIUS] : 0;
        part[place + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    int sum = 0;
    for (int k = -RADIUS; k <= RADIUS; ++k) sum += mask[k + RADIUS] * part[place + k];
    out[i] = sum;
}

int main() {
    const int n = 100;
    int weights[2 * RADIUS + 1] = {1, -2, 3, 4, 3, -2, 1};
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i * i % 17;
    cudaMemcpyToSymbol(mask, weights, sizeof(weights));
    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    convolve<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, n);
    cudaMemcpy(out.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        int sum = 0;
        for (int k = -RADIUS; k <= RADIUS; ++k)
            if (i + k >= 0 && i + k < n) sum += weights[k + RADIUS] * in[i + k];
        wrong += sum != out[i];
    }
    printf("%d %d %d, %d wrong\n", out[0], out[50], out[n - 1], wrong);
    cudaFree(a);
    cudaFree(b);
}
