// finds: uncaught-exception 7
// status: 134
#include <stdexcept>
#include <string>

void check(cudaError_t status, const char *where) {
    if (status != cudaSuccess) throw std::runtime_error(std::string(where) + ": " + cudaGetErrorString(status));
}

int main() {
    check(cudaSetDevice(0), "first");
    check(cudaSetDevice(1000), "second");
    return 0;
}
