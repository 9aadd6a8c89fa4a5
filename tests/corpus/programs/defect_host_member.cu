// status: 0
// finds: host-pointer-on-device 21, kernel 12, leak 20
#include <cstdio>

struct Part {
    int count;
    int* values;
};

__global__ void twice(Part part)
{
    part.values[threadIdx.x] *= 2;
}

int main()
{
    int values[4] = {1, 2, 3, 4};
    Part part{4, values};
    int* unused;
    cudaMalloc(&unused, 16);
    twice<<<1, 4>>>(part);
    printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
    cudaFree(unused);
    return 0;
}
