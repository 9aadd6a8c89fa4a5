// Objects that free what they own: an array of the device, and a guard that says when it begins and ends.
#include <cstdio>
#include <cuda_runtime.h>

class Guard {
    const char *name;

public:
    explicit Guard(const char *n) : name(n) { printf("enter %s\n", name); }
    ~Guard() { printf("leave %s\n", name); }
};

template <class T> class DeviceArray {
    T *first = nullptr;
    int count;

public:
    explicit DeviceArray(int n) : count(n) { cudaMalloc(&first, n * sizeof(T)); }
    ~DeviceArray() { cudaFree(first); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    T *data() const { return first; }
    void upload(const T *from) { cudaMemcpy(first, from, count * sizeof(T), cudaMemcpyHostToDevice); }
    void download(T *to) const { cudaMemcpy(to, first, count * sizeof(T), cudaMemcpyDeviceToHost); }
};

__global__ void twice(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}

int steps(int limit) {
    Guard whole("steps");
    for (int i = 0; i < 4; ++i) {
        Guard each("step");
        if (i == limit) return i;
        if (i == 1) continue;
    }
    return -1;
}

int main() {
    Guard all("main");
    float values[6] = {1, 2, 3, 4, 5, 6};
    {
        DeviceArray<float> device(6);
        device.upload(values);
        float *a = device.data();
        twice<<<2, 4>>>(a, 6);
        device.download(values);
    }
    printf("%g %g\n", values[0], values[5]);
    printf("%d\n", steps(1));
    printf("%d\n", steps(9));
    Guard *made = new Guard("heap");
    delete made;
    return 0;
}
