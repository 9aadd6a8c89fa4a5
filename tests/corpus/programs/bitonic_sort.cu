// A bitonic sort: a launch for each stage and distance.
#include <cstdio>
#include <cstdlib>

__global__ void exchange(int *a, int distance, int stage) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if (other <= i) return;
    bool up = (i & stage) == 0;
    if (a[i] > a[other] == up) {
        int kept = a[i];
        a[i] = a[other];
        a[other] = kept;
    }
}

int main() {
    const int n = 128;
    int values[n], *device;
    srand(7);
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i] = rand() % 1000;
    cudaMalloc((void **)&device, sizeof values);
    cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
    int launches = 0;
    for (int stage = 2; stage <= n; stage <<= 1)
        for (int distance = stage >> 1; distance > 0; distance >>= 1, ++launches) exchange<<<n / 32, 32>>>(device, distance, stage);
    cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(device);
    bool sorted = true;
    for (int i = 0; i < n; ++i) {
        sum -= values[i];
        sorted = sorted && (i == 0 || values[i - 1] <= values[i]);
    }
    printf("%d launches, sorted: %d, lost: %ld, least %d, most %d\n", launches, sorted, sum, values[0], values[n - 1]);
}
