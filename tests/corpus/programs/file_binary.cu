// Numbers from a binary file, as C++ reads it: std::ifstream::read, seekg, tellg and gcount.
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <vector>

__global__ void scale(float* x, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

int main() {
    std::ifstream in("file_binary.bin", std::ios::binary | std::ios::ate);
    if (!in) { std::cerr << "no numbers\n"; return 1; }
    long size = static_cast<long>(in.tellg());
    in.seekg(0, std::ios::beg);
    int count = 0;
    in.read(reinterpret_cast<char*>(&count), sizeof(count));
    std::vector<float> values(count);
    in.read(reinterpret_cast<char*>(values.data()), count * sizeof(float));
    std::cout << size << " bytes, " << count << " numbers, " << in.gcount() << " read, good " << in.good() << "\n";
    char rest[16];
    in.read(rest, sizeof(rest));
    std::cout << in.gcount() << " more, eof " << in.eof() << ", fail " << in.fail() << "\n";
    in.clear();
    in.seekg(-4, std::ios::end);
    char word[5] = {};
    in.read(word, 4);
    std::cout << "it ends with '" << word << "' at " << in.tellg() << "\n";

    float* device;
    cudaMalloc(&device, count * sizeof(float));
    cudaMemcpy(device, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(device, count, 0.5f);
    cudaMemcpy(values.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost);
    for (float value : values) std::cout << std::fixed << std::setprecision(3) << value << "\n";
    cudaFree(device);
    return 0;
}
