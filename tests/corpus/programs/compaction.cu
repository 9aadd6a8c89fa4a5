// Elements that pass a test are packed: flags, an exclusive scan in a block, a scatter.
#include <cstdio>
#include <vector>

#define N 64

__global__ void pack(const int *in, int *out, int *count) {
    __shared__ int places[N];
    int i = threadIdx.x, keep = in[i] % 3 == 0;
    places[i] = keep;
    __syncthreads();
    for (int distance = 1; distance < N; distance *= 2) {
        int before = i >= distance ? places[i - distance] : 0;
        __syncthreads();
        places[i] += before;
        __syncthreads();
    }
    if (keep) out[places[i] - 1] = in[i];
    if (i == N - 1) *count = places[i];
}

int main() {
    std::vector<int> in(N), out(N);
    for (int i = 0; i < N; ++i) in[i] = i * i % 50;
    int *a, *b, *c, count;
    cudaMalloc(&a, N * sizeof(int));
    cudaMalloc(&b, N * sizeof(int));
    cudaMalloc(&c, sizeof(int));
    cudaMemcpy(a, in.data(), N * sizeof(int), cudaMemcpyHostToDevice);
    pack<<<1, N>>>(a, b, c);
    cudaMemcpy(&count, c, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out.data(), b, count * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d kept:", count);
    for (int i = 0; i < count; ++i) printf(" %d", out[i]);
    printf("\n");
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
