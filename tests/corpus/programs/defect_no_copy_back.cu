// finds: never-copied-back 15
#include <stdio.h>

__global__ void square(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; }

int main()
{
    int h[8], result[8] = {0};
    int *in, *out;
    for (int i = 0; i < 8; i++)
        h[i] = i;
    cudaMalloc(&in, sizeof(h));
    cudaMalloc(&out, sizeof(h));
    cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice);
    square<<<1, 8>>>(in, out);
    cudaMemcpy(result, in, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d\n", result[7]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
