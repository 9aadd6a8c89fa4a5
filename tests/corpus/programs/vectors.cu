#include <vector>
#include <cstdio>
#include <numeric>

__global__ void squares(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i * i;
}

std::vector<int> primes(int below) {
    std::vector<int> found;
    for (int i = 2; i < below; ++i) {
        bool prime = true;
        for (int p : found) prime = prime && i % p != 0;
        if (prime) found.push_back(i);
    }
    return found;
}

int main() {
    std::vector<int> h(50, -1);
    int* d;
    cudaMalloc(&d, h.size() * sizeof(int));
    squares<<<2, 32>>>(d, (int)h.size());
    cudaMemcpy(h.data(), d, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[7], h.back());
    printf("sum %d\n", std::accumulate(h.begin(), h.end(), 0));
    std::vector<int> p = primes(60);
    printf("%zu primes, the last %d\n", p.size(), p[p.size() - 1]);
    std::vector<double> copy(3);
    copy[1] = 2.5;
    std::vector<double> other = copy;
    other[1] += 1;
    printf("%.1f %.1f %d\n", copy[1], other[1], (int)other.empty());
    cudaFree(d);
}
