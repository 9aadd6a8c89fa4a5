// Smooths a line of n values, some rounds long.
//
//   usage: program n rounds
//
//   round 0:   d_now --> kernel --> d_next
//   round 1:             d_now --> kernel --> d_next
//
// What a round has made is what the next one reads.

#include <cstdio>
#include <cstdlib>

__global__ void smooth(const float* now, float* next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = i > 0 ? now[i - 1] : now[i];
    float right = i + 1 < n ? now[i + 1] : now[i];
    next[i] = 0.25f * left + 0.5f * now[i] + 0.25f * right;
}

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256;
    int rounds = argc > 2 ? atoi(argv[2]) : 12;
    size_t bytes = n * sizeof(float);

    float* x = (float*)malloc(bytes);
    for (int i = 0; i < n; ++i)
        x[i] = i % 16 == 0 ? 16 : 0;

    float* d_now;
    cudaMalloc(&d_now, bytes);
    cudaMemcpy(d_now, x, bytes, cudaMemcpyHostToDevice);

    for (int round = 0; round < rounds; ++round) {
        float* d_next;
        cudaMalloc(&d_next, bytes);
        smooth<<<(n + 127) / 128, 128>>>(d_now, d_next, n);
        d_now = d_next;
    }

    cudaMemcpy(x, d_now, bytes, cudaMemcpyDeviceToHost);
    int half = n / 2;
    printf("x[0] = %.4f, x[%d] = %.4f\n", x[0], half, x[half]);

    cudaFree(d_now);
    free(x);
    return 0;
}
