// finds: wrong-direction 16
#include <cstdio>

__device__ int table[4];

__global__ void read(int* out)
{
    out[threadIdx.x] = table[threadIdx.x];
}

int main()
{
    int given[4] = {1, 2, 3, 4}, found[4], *out;
    void* place;
    cudaMalloc(&out, sizeof found);
    printf("%s\n", cudaGetErrorString(cudaMemcpy(table, given, sizeof given, cudaMemcpyHostToDevice)));
    read<<<1, 4>>>(out);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    printf("%d\n", found[3]);
    cudaGetSymbolAddress(&place, table);
    printf("%s\n", cudaGetErrorString(cudaMemcpy(place, given, sizeof given, cudaMemcpyHostToDevice)));
    read<<<1, 4>>>(out);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    printf("%d\n", found[3]);
    cudaFree(out);
    return 0;
}
