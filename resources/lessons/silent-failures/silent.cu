// Doubles the elements of a 64 x 64 matrix, or so it seems.
//
//   dim3 block(64, 64)      a thread for each element
//
// Nobody asks whether the launch went well.

#include <cstdio>
#include <cstdlib>

__global__ void twice(float* x, int side)
{
    int at = threadIdx.y * side + threadIdx.x;
    x[at] = 2 * x[at];
}

int main()
{
    int side = 64;
    size_t bytes = side * side * sizeof(float);

    float* x = (float*)malloc(bytes);
    for (int i = 0; i < side * side; ++i)
        x[i] = 3;

    float* d_x;
    cudaMalloc(&d_x, bytes);
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);

    dim3 block(side, side);
    twice<<<1, block>>>(d_x, side);

    cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
    printf("x[0] is now %g\n", x[0]);

    cudaFree(d_x);
    free(x);
    return 0;
}
