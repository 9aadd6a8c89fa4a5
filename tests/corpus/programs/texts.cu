// arguments: --name tile --size 8
#include <iostream>
#include <string>
#include <vector>

__global__ void count(int* p) { p[threadIdx.x] = threadIdx.x; }

static std::string describe(const std::string& name, int size) {
    return name + " of " + std::to_string(size) + " x " + std::to_string(size);
}

int main(int argc, char** argv) {
    std::string name = "none";
    int size = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string option(argv[i]);
        if (option == "--name") name = argv[i + 1];
        else if (option == "--size") size = std::stoi(argv[i + 1]);
    }
    std::cout << describe(name, size) << std::endl;
    std::string copy = name;
    copy[0] = 'T';
    copy += "s!";
    std::cout << name << " " << copy << " " << copy.size() << " " << copy.substr(1, 3) << " " << (copy < name) << "\n";
    std::cout << copy.find("le") << " " << (copy.find('z') == std::string::npos) << " " << std::string(3, '-') << "\n";
    std::vector<int> h(size);
    int* d;
    cudaMalloc(&d, size * sizeof(int));
    count<<<1, size>>>(d);
    cudaMemcpy(h.data(), d, size * sizeof(int), cudaMemcpyDeviceToHost);
    std::string line;
    for (int x : h) line += std::to_string(x) + (x + 1 < size ? "," : "");
    std::cout << line << std::endl;
    cudaFree(d);
}
