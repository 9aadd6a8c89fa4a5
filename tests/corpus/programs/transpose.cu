#include <stdio.h>
#include <stdlib.h>
#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transpose(float *out, const float *in, int width, int height) {
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    const int width = 70, height = 45;
    size_t bytes = width * height * sizeof(float);
    float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes);
    for (int i = 0; i < width * height; i++) in[i] = i;
    float *din, *dout;
    cudaMalloc(&din, bytes);
    cudaMalloc(&dout, bytes);
    cudaMemcpy(din, in, bytes, cudaMemcpyHostToDevice);
    dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM), block(TILE_DIM, BLOCK_ROWS);
    transpose<<<grid, block>>>(dout, din, width, height);
    cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) bad += out[x * height + y] != in[y * width + x];
    puts(bad ? "FAIL" : "PASS");
    printf("%5.1f|%-8.1f|%+e\n", out[1], out[2], out[3]);
    cudaFree(din);
    cudaFree(dout);
    free(in);
    free(out);
    return bad;
}
