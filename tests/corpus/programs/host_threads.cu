// The processor's side with threads, the GPU's with a kernel, and one sum.
#include <atomic>
#include <cstdio>
#include <functional>
#include <future>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

__global__ void sum(const int* x, int n, int* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, x[i]);
}

static void part(const std::vector<int>& x, size_t from, size_t to, long& out)
{
    long s = 0;
    for (size_t i = from; i < to; ++i) s += x[i];
    out = s;
}

int main()
{
    const int n = 1000, workers = 4;
    std::vector<int> x(n);
    std::iota(x.begin(), x.end(), 1);
    std::vector<long> partial(workers);
    std::vector<std::thread> threads;
    for (int w = 0; w < workers; ++w)
        threads.emplace_back(part, std::cref(x), w * n / workers, (w + 1) * n / workers, std::ref(partial[w]));
    for (auto& t : threads) t.join();
    long total = 0;
    for (long p : partial) total += p;
    std::mutex m;
    std::atomic<int> count{0};
    int guarded = 0;
    std::vector<std::thread> more;
    for (int w = 0; w < workers; ++w)
        more.push_back(std::thread([&, w] {
            for (int i = 0; i < 10; ++i) {
                count++;
                std::lock_guard<std::mutex> lock(m);
                guarded += w;
            }
        }));
    for (auto& t : more) if (t.joinable()) t.join();
    int *dx, *dout, gpu = 0;
    cudaMalloc(&dx, n * sizeof(int));
    cudaMalloc(&dout, sizeof(int));
    cudaMemset(dout, 0, sizeof(int));
    cudaMemcpy(dx, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum<<<(n + 127) / 128, 128>>>(dx, n, dout);
    cudaMemcpy(&gpu, dout, sizeof(int), cudaMemcpyDeviceToHost);
    auto later = std::async(std::launch::async, [](int a, int b) { return a * b; }, 6, 7);
    printf("%ld %d %d %d %d\n", total, gpu, count.load(), guarded, later.get());
    cudaFree(dx);
    cudaFree(dout);
}
