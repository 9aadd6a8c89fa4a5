// finds: child-race 18
// A kernel reads what its child computes: since CUDA 12 it cannot wait for it.
#include <cstdio>

__global__ void squares(int* data, int n)
{
    int i = threadIdx.x;
    if (i < n)
        data[i] = i * i;
}

__global__ void sum_of_squares(int* data, int n, int* sum)
{
    squares<<<1, 32>>>(data, n);
    int total = 0;
    for (int i = 0; i < n; ++i)
        // The squares need not be there yet.
        total += data[i];
    *sum = total;
}

int main()
{
    int *data, *sum, result;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    sum_of_squares<<<1, 1>>>(data, 32, sum);
    cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
    int host[32];
    cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%s, last square %d\n", result == 10416 ? "10416" : "too early", host[31]);
    cudaFree(data);
    cudaFree(sum);
    return 0;
}
