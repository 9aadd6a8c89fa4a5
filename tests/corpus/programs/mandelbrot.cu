// A picture of the Mandelbrot set in letters, in fixed point so that every compiler agrees.
#include <cstdio>
#include <string>

#define WIDTH 48
#define HEIGHT 16

__global__ void iterate(int *counts) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    long cr = -8192 + x * 12288L / WIDTH, ci = -4608 + y * 9216L / HEIGHT, r = 0, i = 0;
    int n = 0;
    while (n < 50 && r * r + i * i < 4L * 4096 * 4096) {
        long next = (r * r - i * i) / 4096 + cr;
        i = 2 * r * i / 4096 + ci;
        r = next;
        ++n;
    }
    counts[y * WIDTH + x] = n;
}

int main() {
    static int counts[HEIGHT][WIDTH];
    int *device;
    cudaMalloc(&device, sizeof counts);
    dim3 block(16, 4);
    iterate<<<dim3(WIDTH / block.x, HEIGHT / block.y), block>>>(device);
    cudaMemcpy(counts, device, sizeof counts, cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (auto &row : counts) {
        std::string line;
        for (int n : row) line += n == 50 ? '#' : n > 8 ? '+' : n > 4 ? '.' : ' ';
        printf("%s|\n", line.c_str());
    }
}
