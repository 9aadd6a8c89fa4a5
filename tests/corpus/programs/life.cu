// The game of life on a torus, between two arrays that change places.
#include <cstdio>
#include <utility>

#define SIDE 16

__global__ void generation(const char *now, char *next) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, alive = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy) alive += now[(y + dy + SIDE) % SIDE * SIDE + (x + dx + SIDE) % SIDE];
    next[y * SIDE + x] = alive == 3 || (alive == 2 && now[y * SIDE + x]);
}

int main() {
    char cells[SIDE * SIDE] = {0}, *a, *b;
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto &cell : glider) cells[cell[1] * SIDE + cell[0]] = 1;
    cudaMalloc(&a, sizeof cells);
    cudaMalloc(&b, sizeof cells);
    cudaMemcpy(a, cells, sizeof cells, cudaMemcpyHostToDevice);
    for (int step = 0; step < 20; ++step) {
        generation<<<dim3(2, 2), dim3(8, 8)>>>(a, b);
        std::swap(a, b);
    }
    cudaMemcpy(cells, a, sizeof cells, cudaMemcpyDeviceToHost);
    for (int y = 4; y < 9; ++y) {
        for (int x = 4; x < 12; ++x) putchar(cells[y * SIDE + x] ? '#' : '.');
        putchar('\n');
    }
    cudaFree(a);
    cudaFree(b);
}
