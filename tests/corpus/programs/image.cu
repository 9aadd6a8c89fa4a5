#include <stdio.h>
#include <stdlib.h>

typedef struct { unsigned char r, g, b; } Pixel;

__global__ void gray(const Pixel *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    Pixel p = in[y * width + x];
    out[y * width + x] = (unsigned char)(0.25f * p.r + 0.5f * p.g + 0.25f * p.b);
}

int main()
{
    int width = 37, height = 21, n = width * height;
    Pixel *image = (Pixel *)malloc(n * sizeof(Pixel));
    unsigned char *out = (unsigned char *)malloc(n);
    for (int i = 0; i < n; i++) {
        image[i].r = i;
        image[i].g = i / 2;
        image[i].b = 255 - i;
    }
    Pixel *din;
    unsigned char *dout;
    cudaMalloc((void **)&din, n * sizeof(Pixel));
    cudaMalloc((void **)&dout, n);
    cudaMemcpy(din, image, n * sizeof(Pixel), cudaMemcpyHostToDevice);
    dim3 block(8, 8, 1), grid((width - 1) / 8 + 1, (height - 1) / 8 + 1, 1);
    gray<<<grid, block>>>(din, dout, width, height);
    cudaMemcpy(out, dout, n, cudaMemcpyDeviceToHost);
    unsigned long check = 5381;
    for (int i = 0; i < n; i++)
        check = check * 33 ^ out[i];
    printf("%d %d %d checksum %lx\n", out[0], out[100], out[n - 1], check);
    cudaFree(din);
    cudaFree(dout);
    free(image);
    free(out);
    return 0;
}
