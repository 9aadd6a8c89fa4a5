#include <cstdio>

struct Particle {
    float position[3];
    float velocity[3];
    int id;
    __host__ __device__ float energy() const {
        return 0.5f * (velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
    }
};

struct Matrix {
    int rows, columns;
    float* cells;
};

__global__ void move(Particle* all, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 3; ++k) all[i].position[k] += dt * all[i].velocity[k];
}

__global__ void scale(Matrix m, float by) {
    int i = threadIdx.x;
    if (i < m.rows * m.columns) m.cells[i] *= by;
}

int main() {
    const int n = 10;
    Particle all[n];
    for (int i = 0; i < n; ++i) {
        Particle p = {{float(i), 0, 0}, {1, 2, float(i)}, 100 + i};
        all[i] = p;
    }
    Particle* device;
    cudaMalloc(&device, sizeof(all));
    cudaMemcpy(device, all, sizeof(all), cudaMemcpyHostToDevice);
    move<<<1, 32>>>(device, n, 0.5f);
    cudaMemcpy(all, device, sizeof(all), cudaMemcpyDeviceToHost);
    for (const Particle& p : all)
        if (p.id % 3 == 0) printf("%d: %.2f %.2f %.2f energy %.3f\n", p.id, p.position[0], p.position[1], p.position[2], p.energy());
    Matrix m{2, 3, nullptr};
    float host[6] = {1, 2, 3, 4, 5, 6};
    cudaMalloc(&m.cells, sizeof host);
    cudaMemcpy(m.cells, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<1, 8>>>(m, 1.5f);
    cudaMemcpy(host, m.cells, sizeof host, cudaMemcpyDeviceToHost);
    for (int r = 0; r < m.rows; ++r) printf("%g %g %g\n", host[3 * r], host[3 * r + 1], host[3 * r + 2]);
    printf("%zu %zu\n", sizeof(Particle), sizeof(Matrix));
    cudaFree(m.cells);
    cudaFree(device);
}
