// One kernel maps with whichever function the host chose: pointers to functions in variables, tables, structs and parameters.
#include <cstdio>
#include <cstring>

typedef float (*Unary)(float);
typedef float (*Binary)(float, float);

__device__ float square(float x) { return x * x; }
__device__ float negate(float x) { return -x; }
__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ float sum(float a, float b) { return a + b; }

__device__ Unary chosen = square;
__device__ Unary table[2] = {square, negate};
__device__ Binary joined = larger;

struct Stage {
    Unary f;
    float scale;
};

__device__ float staged(const Stage& stage, float x) { return stage.scale * stage.f(x); }

__global__ void map(float* data, int n, Unary f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = f(data[i]);
}

__global__ void mixed(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Stage stage = {table[i % 2], i % 3 == 0 ? 0.5f : 2.0f};
    Binary combine = i < n / 2 ? joined : sum;
    data[i] = combine(staged(stage, data[i]), 4.0f);
}

int main() {
    const int n = 12;
    float h[n], *d;
    for (int i = 0; i < n; ++i) h[i] = i - 3.0f;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    Unary f, both[2];
    cudaMemcpyFromSymbol(&f, chosen, sizeof(Unary));
    cudaMemcpyFromSymbol(both, table, sizeof(both));
    map<<<2, 8>>>(d, n, f);
    map<<<2, 8>>>(d, n, both[1]);
    mixed<<<1, 32>>>(d, n);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) printf("%.1f%c", h[i], i == n - 1 ? '\n' : ' ');
    printf("%d %d\n", f == both[0], f != nullptr);
    cudaFree(d);
    return 0;
}
