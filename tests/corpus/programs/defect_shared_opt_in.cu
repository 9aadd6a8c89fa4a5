// finds: launch-failed 24
// More shared memory than a block gets without asking, and questions about what fits.
#include <cstdio>

__global__ void sums(const int *in, int *out, int n) {
    extern __shared__ int kept[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) kept[i] = in[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = n - 1; i >= 0; i -= 1000) sum += kept[i];
        *out = sum;
    }
}

int main() {
    const int n = 16000, bytes = n * sizeof(int);
    static int values[n];
    int *in, *out, sum;
    for (int i = 0; i < n; ++i) values[i] = i;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, values, bytes, cudaMemcpyHostToDevice);
    sums<<<1, 128, bytes>>>(in, out, n);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    sums<<<1, 128, bytes>>>(in, out, n);
    cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorString(cudaGetLastError()), sum);
    int blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sums, 128, bytes);
    printf("%d blocks of 128\n", blocks);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sums, 1024, 0);
    printf("%d blocks of 1024\n", blocks);
    cudaFree(in);
    cudaFree(out);
}
