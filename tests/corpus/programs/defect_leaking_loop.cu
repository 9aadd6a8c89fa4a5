// finds: leak 9
#include <stdio.h>

__global__ void add(int *a) { a[threadIdx.x] += 1; }

int round_trip(int value) {
    int host[8], *device;
    for (int i = 0; i < 8; ++i) host[i] = value;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    add<<<1, 8>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    if (value > 2) return host[0];
    cudaFree(device);
    return host[7];
}

int main() {
    for (int i = 0; i < 5; ++i) printf("%d ", round_trip(i));
    printf("\n");
    return 0;
}
