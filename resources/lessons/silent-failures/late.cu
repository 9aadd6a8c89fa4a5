// An error that comes up later than the launch.
//
//   fill<<<1, 32>>>(x)      x is memory of the host
//
// The launch itself is in order. What the kernel does is not,
// and the kernel runs while main goes on.

#include <cstdio>
#include <cstdlib>

__global__ void fill(float* x)
{
    x[threadIdx.x] = 1;
}

int main()
{
    float* x = (float*)malloc(32 * sizeof(float));

    fill<<<1, 32>>>(x);
    cudaError_t launched = cudaGetLastError();
    cudaError_t done = cudaDeviceSynchronize();

    printf("after the launch: %d\n", (int)launched);
    printf("after the wait: %d\n", (int)done);

    free(x);
    return 0;
}
