// Bodies that attract each other, in whole numbers so that every compiler agrees; classes and a time step on the device.
#include <cstdio>
#include <vector>

struct Body {
    long x, y, vx, vy, mass;
};

__device__ long pull(long distance, long mass) { return distance == 0 ? 0 : mass * 1000 / distance; }

__global__ void accelerate(Body *bodies, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long ax = 0, ay = 0;
    for (int j = 0; j < n; ++j) {
        ax += pull(bodies[j].x - bodies[i].x, bodies[j].mass);
        ay += pull(bodies[j].y - bodies[i].y, bodies[j].mass);
    }
    bodies[i].vx += ax;
    bodies[i].vy += ay;
}

__global__ void move(Body *bodies, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bodies[i].x += bodies[i].vx;
    bodies[i].y += bodies[i].vy;
}

class System {
    std::vector<Body> host;
    Body *device = nullptr;

public:
    explicit System(int n) : host(n) {
        for (int i = 0; i < n; ++i) host[i] = {i * 1000L, i * i * 300L % 7000, 0, 0, 1 + i % 3};
        cudaMalloc(&device, n * sizeof(Body));
        cudaMemcpy(device, host.data(), n * sizeof(Body), cudaMemcpyHostToDevice);
    }
    ~System() { cudaFree(device); }
    void step() {
        int n = (int)host.size();
        Body *bodies = device;
        accelerate<<<2, 32>>>(bodies, n);
        move<<<2, 32>>>(bodies, n);
    }
    long energy() {
        cudaMemcpy(host.data(), device, host.size() * sizeof(Body), cudaMemcpyDeviceToHost);
        long sum = 0;
        for (const Body &b : host) sum += b.mass * (b.vx * b.vx + b.vy * b.vy);
        return sum;
    }
};

int main() {
    System system(40);
    for (int i = 0; i < 5; ++i) {
        system.step();
        printf("%ld\n", system.energy());
    }
}
