// Three timers that students write, and which of them go forwards.
#include <chrono>
#include <ctime>
#include <cstdio>
#include <iostream>
#include <iomanip>
#include <string>
#include <time.h>
#include <cuda_runtime.h>

class WallTimer {
public:
    void start() { clock_gettime(CLOCK_MONOTONIC, &begin_); }
    void stop() { clock_gettime(CLOCK_MONOTONIC, &end_); }
    double ms() const { return (end_.tv_sec - begin_.tv_sec) * 1e3 + (end_.tv_nsec - begin_.tv_nsec) * 1e-6; }
private:
    struct timespec begin_, end_;
};

struct CpuTimer {
    clock_t begin = clock();
    double seconds() const { return static_cast<double>(clock() - begin) / CLOCKS_PER_SEC; }
};

class ScopedTimer {
    using Clock = std::chrono::steady_clock;
    std::string name_;
    Clock::time_point begin_;
public:
    explicit ScopedTimer(const std::string& name) : name_(name), begin_(Clock::now()) {}
    ScopedTimer(const ScopedTimer&) = delete;
    ~ScopedTimer()
    {
        auto end = Clock::now();
        auto us = std::chrono::duration_cast<std::chrono::microseconds>(end - begin_).count();
        std::cout << std::left << std::setw(12) << name_ << (us >= 0 ? " ok" : " backwards") << std::endl;
    }
};

__global__ void scale(float* x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}

int main()
{
    using namespace std::chrono;
    const int n = 1 << 10;
    float* x;
    cudaMallocManaged(&x, n * sizeof(float));
    {
        ScopedTimer t("fill");
        for (int i = 0; i < n; ++i) x[i] = 1.0f * i;
    }
    WallTimer wall;
    CpuTimer cpu;
    wall.start();
    auto begin = high_resolution_clock::now();
    {
        ScopedTimer t("kernel");
        scale<<<(n + 255) / 256, 256>>>(x, 2.0f, n);
        cudaDeviceSynchronize();
    }
    auto end = high_resolution_clock::now();
    wall.stop();
    duration<double, std::milli> elapsed = end - begin;
    printf("wall %s, cpu %s, chrono %s\n", wall.ms() >= 0 ? "forwards" : "backwards", cpu.seconds() >= 0 ? "forwards" : "backwards",
           elapsed.count() >= 0 ? "forwards" : "backwards");
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    std::cout << std::boolalpha << (used.tv_sec >= 0) << '\n';
    auto sum = milliseconds(1500) + seconds(2);
    std::cout << sum.count() << " ms, " << duration_cast<seconds>(sum).count() << " s, " << duration<double>(sum).count() << " s\n";
    std::cout << (begin <= end) << ' ' << (end == end) << ' ' << (begin != begin) << ' ' << (milliseconds(1000) == seconds(1)) << '\n';
    auto later = begin + milliseconds(5);
    std::cout << duration_cast<microseconds>(later - begin).count() << '\n';
    std::time_t when = system_clock::to_time_t(system_clock::from_time_t(86400 * 365));
    std::cout << std::put_time(std::gmtime(&when), "%F %T") << '\n';
    printf("%s", std::asctime(std::gmtime(&when)));
    std::tm day{};
    day.tm_year = 124; day.tm_mon = 1; day.tm_mday = 30; day.tm_isdst = -1;
    std::time_t made = std::mktime(&day);
    std::cout << day.tm_mon + 1 << '-' << day.tm_mday << ' ' << (made > 0) << ' ' << std::difftime(made, made - 60) << '\n';
    std::cout << x[3] << std::endl;
    cudaFree(x);
    return 0;
}
