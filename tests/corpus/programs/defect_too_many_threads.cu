// finds: launch-failed 14, unchecked-launch 14
#include <stdio.h>

__global__ void one(int *p) { p[threadIdx.y * 64 + threadIdx.x] = 1; }

int main()
{
    static int h[4096];
    int *d;
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    dim3 block(64, 64);
    // 4096 threads a block: the kernel does not run, and says nothing
    one<<<1, block>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < 4096; i++) sum += h[i];
    printf("sum %d\n", sum);
    cudaFree(d);
    return 0;
}
