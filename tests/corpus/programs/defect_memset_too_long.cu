// finds: copy-out-of-bounds 7
#include <stdio.h>

int main() {
    int n = 100, *device, first = -1;
    cudaMalloc(&device, n * sizeof(int));
    cudaError_t status = cudaMemset(device, 0, (n + 100000000) * sizeof(int));
    printf("%s\n", cudaGetErrorString(status));
    cudaMemset(device, 0, n * sizeof(int));
    cudaMemcpy(&first, device, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(device);
    return 0;
}
