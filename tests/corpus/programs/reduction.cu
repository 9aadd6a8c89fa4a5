#include <cstdio>
#include <cstdlib>

__global__ void reduce(const int* in, int* out, int n) {
    extern __shared__ int partial[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    int sum = 0;
    if (i < n) sum += in[i];
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    partial[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) partial[t] += partial[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}

int main() {
    const int n = 3000, threads = 128, blocks = (n + 2 * threads - 1) / (2 * threads);
    int* in = (int*)calloc(n, sizeof(int));
    long expected = 0;
    for (int i = 0; i < n; i++) expected += in[i] = (i * 37) % 101;
    int *din, *dout, out[blocks];
    cudaMalloc(&din, n * sizeof(int));
    cudaMalloc(&dout, blocks * sizeof(int));
    cudaMemcpy(din, in, n * sizeof(int), cudaMemcpyHostToDevice);
    reduce<<<blocks, threads, threads * sizeof(int)>>>(din, dout, n);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int b = 0; b < blocks; b++) {
        printf("block %2d: %6d\n", b, out[b]);
        sum += out[b];
    }
    printf("sum %ld, expected %ld: %s\n", sum, expected, sum == expected ? "ok" : "WRONG");
    cudaFree(dout);
    cudaFree(din);
    free(in);
    return sum != expected;
}
