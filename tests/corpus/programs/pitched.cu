// An image in pitched memory: 2-D copies in both directions, a box filter with constant weights, a sub-image copied out.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define SAFE(e)                                                                               \
    if ((e) != cudaSuccess) {                                                                 \
        fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorName(cudaGetLastError()));     \
        return 1;                                                                             \
    }
enum { WIDTH = 37, HEIGHT = 21, RADIUS = 1, SIDE = 2 * RADIUS + 1 };
__constant__ float weights[SIDE][SIDE];

__global__ void filter(const unsigned char* in, size_t in_pitch, float* out, size_t out_pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            int nx = min(max(x + dx, 0), width - 1), ny = min(max(y + dy, 0), height - 1);
            sum += weights[dy + RADIUS][dx + RADIUS] * in[ny * in_pitch + nx];
        }
    float* row = (float*)((char*)out + y * out_pitch);
    row[x] = sum;
}

int main(void)
{
    static unsigned char image[HEIGHT][WIDTH];
    static float filtered[HEIGHT][WIDTH];
    const float box[SIDE][SIDE] = {{1 / 16.f, 2 / 16.f, 1 / 16.f}, {2 / 16.f, 4 / 16.f, 2 / 16.f}, {1 / 16.f, 2 / 16.f, 1 / 16.f}};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = (unsigned char)(x * y + 3 * x);
    unsigned char* d_in;
    float* d_out;
    size_t in_pitch, out_pitch;
    SAFE(cudaMallocPitch((void**)&d_in, &in_pitch, WIDTH, HEIGHT));
    SAFE(cudaMallocPitch((void**)&d_out, &out_pitch, WIDTH * sizeof(float), HEIGHT));
    SAFE(cudaMemcpyToSymbol(weights, box, sizeof(box)));
    SAFE(cudaMemcpy2D(d_in, in_pitch, image, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
    SAFE(cudaMemset2D(d_out, out_pitch, 0, WIDTH * sizeof(float), HEIGHT));
    dim3 block(16, 8);
    dim3 grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
    filter<<<grid, block>>>(d_in, in_pitch, d_out, out_pitch, WIDTH, HEIGHT);
    SAFE(cudaGetLastError());
    SAFE(cudaMemcpy2D(filtered, WIDTH * sizeof(float), d_out, out_pitch, WIDTH * sizeof(float), HEIGHT, cudaMemcpyDeviceToHost));
    printf("%d %d\n", (int)(in_pitch % 32), (int)(out_pitch % 32));
    for (int y = 0; y < HEIGHT; y += 5) {
        for (int x = 0; x < WIDTH; x += 6)
            printf("%8.3f", filtered[y][x]);
        printf("\n");
    }
    float part[3][4];
    SAFE(cudaMemcpy2D(part, sizeof part[0], (char*)d_out + 2 * out_pitch + 5 * sizeof(float), out_pitch, sizeof part[0], 3, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 3; y++)
        printf("%g %g %g %g\n", part[y][0], part[y][1], part[y][2], part[y][3]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
