// Adds 1 to n elements, in blocks of side x side threads.
//
//   usage: program n side
//
// What it must print:   x[0] = 1, sum 500
// and where the launch  launch: and the runtime's words for the
// fails, in its place:  error; main then returns 1.

#include <cstdio>
#include <cstdlib>

__global__ void plus_one(int* x, int n)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int i = blockIdx.x * blockDim.x * blockDim.y + t;
    if (i < n)
        x[i] += 1;
}

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 500;
    int side = argc > 2 ? atoi(argv[2]) : 16;
    size_t bytes = n * sizeof(int);

    int* x = (int*)calloc(n, sizeof(int));
    int* d_x;
    cudaMalloc(&d_x, bytes);
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);

    dim3 block(side, side);
    int threads = side * side;
    plus_one<<<(n + threads - 1) / threads, block>>>(d_x, n);

    cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i];
    printf("x[0] = %d, sum %d\n", x[0], sum);

    cudaFree(d_x);
    free(x);
    return 0;
}
