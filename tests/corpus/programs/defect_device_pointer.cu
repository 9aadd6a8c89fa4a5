// status: 139
// finds: device-pointer-on-host 12
#include <cstdio>

__global__ void three(float* p) { *p = 3; }

int main() {
    float* result;
    cudaMalloc(&result, sizeof(float));
    three<<<1, 1>>>(result);
    printf("reading\n");
    printf("%f\n", *result);
    cudaFree(result);
}
