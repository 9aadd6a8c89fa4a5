// Random numbers, and a table of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <vector>

__global__ void histogram(const float* x, int n, int* bins, int many)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int b = static_cast<int>(x[i] * many);
        if (b >= 0 && b < many) atomicAdd(&bins[b], 1);
    }
}

int main()
{
    const int n = 4000, many = 8;
    std::mt19937 gen(2024);
    std::uniform_real_distribution<float> unit(0.0f, 1.0f);
    std::vector<float> x(n);
    for (auto& v : x) v = unit(gen);
    float* dx;
    int* dbins;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dbins, many * sizeof(int));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(dbins, 0, many * sizeof(int));
    histogram<<<(n + 127) / 128, 128>>>(dx, n, dbins, many);
    std::array<int, many> bins{};
    cudaMemcpy(bins.data(), dbins, sizeof bins, cudaMemcpyDeviceToHost);
    std::cout << std::setfill('=') << std::setw(30) << "" << std::setfill(' ') << '\n';
    for (int b = 0; b < many; ++b)
        std::cout << '[' << std::fixed << std::setprecision(3) << std::setw(6) << b / double(many) << ") " << std::setw(5) << bins[b] << ' '
                  << std::string(bins[b] / 50, '#') << '\n';
    std::uniform_int_distribution<int> die(1, 6);
    std::default_random_engine engine(7);
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += die(engine);
    std::cout << "dice " << sum << '\n';
    std::normal_distribution<double> normal(10.0, 2.0);
    double mean = 0, square = 0;
    for (int i = 0; i < 1000; ++i) {
        double v = normal(gen);
        mean += v / 1000;
        square += v * v / 1000;
    }
    std::cout << std::setprecision(4) << mean << ' ' << std::sqrt(square - mean * mean) << '\n';
    std::bernoulli_distribution coin(0.3);
    int heads = 0;
    for (int i = 0; i < 1000; ++i) heads += coin(gen);
    std::cout << "heads " << heads << '\n';
    std::cout << std::scientific << std::setprecision(2) << 12345.678 << ' ' << std::defaultfloat << std::setprecision(6) << 0.1f << ' '
              << std::hex << std::showbase << 255 << std::dec << std::noshowbase << ' ' << std::setw(8) << std::left << "left" << '|' << std::right
              << std::setw(8) << "right" << '\n';
    std::cout << std::numeric_limits<float>::max() << ' ' << std::numeric_limits<int>::min() << ' ' << std::numeric_limits<double>::epsilon() << '\n';
    std::mt19937_64 wide(5);
    std::cout << wide() << ' ' << gen() % 100 << '\n';
    std::exponential_distribution<double> waits(1.5);
    std::cout << std::fixed << waits(gen) << '\n';
    std::shuffle(x.begin(), x.end(), gen);
    std::cout << x[0] << std::endl;
    cudaFree(dx);
    cudaFree(dbins);
}
