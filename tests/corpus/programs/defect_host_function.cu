// A pointer to a function is taken on the host, where it points to the host's function: no kernel can call it.
// finds: kernel 10, leak 15
#include <cstdio>

typedef int (*Unary)(int);

__host__ __device__ int square(int x) { return x * x; }

__global__ void map(int* data, Unary f) {
    data[threadIdx.x] = f(data[threadIdx.x]);
}

int main() {
    int h[4] = {1, 2, 3, 4}, *d;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    map<<<1, 4>>>(d, square);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    return 0;
}
