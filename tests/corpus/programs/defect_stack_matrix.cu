// The matrices lie on the stack, which is large enough for n = 512 and too small for n = 2048: use malloc, or std::vector.
// arguments: 2048
// finds: stack-overflow 20
// status: 139
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* m, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) m[i] *= by;
}

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    printf("%d x %d\n", n, n);
    fflush(stdout);

    float m[n][n];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) m[i][j] = i == j ? 2.0f : 0.0f;
    float* device;
    cudaMalloc(&device, sizeof m);
    cudaMemcpy(device, m, sizeof m, cudaMemcpyHostToDevice);
    scale<<<(n * n + 255) / 256, 256>>>(device, 0.5f, n * n);
    cudaMemcpy(m, device, sizeof m, cudaMemcpyDeviceToHost);
    printf("%g %g\n", m[0][0], m[n - 1][n - 1]);
    cudaFree(device);
    return 0;
}
