#include <cstdio>
#include <cstdlib>
const int N = 256;

__global__ void scan(int* data) {
    __shared__ int a[2][N];
    int t = threadIdx.x, from = 0;
    a[0][t] = data[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        int to = 1 - from;
        a[to][t] = t >= d ? a[from][t] + a[from][t - d] : a[from][t];
        from = to;
        __syncthreads();
    }
    data[t] = a[from][t];
}

int main() {
    int h[N], *d;
    for (int& x : h) x = 1 + (&x - h) % 3;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    scan<<<1, N>>>(d);
    int scanned[N];
    cudaMemcpy(scanned, d, sizeof scanned, cudaMemcpyDeviceToHost);
    int running = 0, ok = 1;
    for (int i = 0; i < N; ++i) {
        running += h[i];
        if (scanned[i] != running) ok = 0;
    }
    printf("%d %d %d ... %d: %s\n", scanned[0], scanned[1], scanned[2], scanned[N - 1], ok ? "inclusive scan" : "wrong");
    cudaFree(d);
    return !ok;
}
