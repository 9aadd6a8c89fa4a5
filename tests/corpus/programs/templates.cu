#include <cstdio>

template <typename T, int BLOCK>
__global__ void fill(T* out, T value) {
    out[blockIdx.x * BLOCK + threadIdx.x] = value + T(threadIdx.x);
}

template <typename T> T total(const T* values, int n) {
    T sum = T();
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum;
}

template <typename T> struct Buffer {
    T* host;
    T* device;
    int n;
    explicit Buffer(int count) : n(count) {
        host = new T[count];
        cudaMalloc(&device, count * sizeof(T));
    }
    void fetch() { cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost); }
    void drop() {
        delete[] host;
        cudaFree(device);
    }
};

template <typename T> void run(const char* name, T value) {
    Buffer<T> buffer(128);
    fill<T, 64><<<2, 64>>>(buffer.device, value);
    buffer.fetch();
    printf("%s: %g (%d bytes each)\n", name, double(total(buffer.host, buffer.n)), int(sizeof(T)));
    buffer.drop();
}

int main() {
    run<int>("int", 3);
    run("float", 0.5f);
    run("double", 1e6);
    run<unsigned char>("uchar", 1);
}
