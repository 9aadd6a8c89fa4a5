/* Filters of images: greyscale of packed pixels, a median of nine, Sobel with clamped edges, and a mandelbrot set. */
#include <stdio.h>
#include "image.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SWAP(a, b) { unsigned char t = MIN(a, b); b = MAX(a, b); a = t; }

__global__ void rgba_to_grey(const uchar4 *const rgba, unsigned char *const grey, int numRows, int numCols)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x;
    int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (col >= numCols || row >= numRows) return;
    uchar4 p = rgba[row * numCols + col];
    grey[row * numCols + col] = (unsigned char)(.299f * p.x + .587f * p.y + .114f * p.z);
}

__device__ unsigned char at(const unsigned char *in, int x, int y, int w, int h)
{
    x = min(max(x, 0), w - 1);
    y = min(max(y, 0), h - 1);
    return in[y * w + x];
}

__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        static const int weights[3] = {1, 2, 1};
        int gx = 0, gy = 0;
        for (int k = -1; k <= 1; k++) {
            gx += weights[k + 1] * (at(in, x + 1, y + k, w, h) - at(in, x - 1, y + k, w, h));
            gy += weights[k + 1] * (at(in, x + k, y + 1, w, h) - at(in, x + k, y - 1, w, h));
        }
        int magnitude = abs(gx) + abs(gy);
        out[y * w + x] = magnitude > 255 ? 255 : magnitude;
    }
}

__global__ void median(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned char v[9];
    for (int dy = -1, n = 0; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++, n++)
            v[n] = at(in, x + dx, y + dy, w, h);
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            SWAP(v[i], v[j]);
    out[y * w + x] = v[4];
}

__global__ void mandelbrot(int *out, int width, int height, int maxIterations)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    double cr = -2.0 + 3.0 * x / width, ci = -1.0 + 2.0 * y / height;
    double zr = 0, zi = 0;
    int i;
    for (i = 0; i < maxIterations; ++i) {
        double zr2 = zr * zr, zi2 = zi * zi;
        if (zr2 + zi2 > 4.0) break;
        zi = 2 * zr * zi + ci;
        zr = zr2 - zi2 + cr;
    }
    out[y * width + x] = i;
}

int main(int argc, char **argv)
{
    Image *image = load_image(argv[1]);
    unsigned char *grey, *edges;
    cudaMalloc((void **)&grey, image->width * image->height);
    cudaMalloc((void **)&edges, image->width * image->height);
    dim3 threads(16, 16, 1);
    dim3 blocks((image->width + 15) / 16, (image->height + 15) / 16, 1);
    rgba_to_grey<<<blocks, threads>>>(image->pixels, grey, image->height, image->width);
    sobel<<<blocks, threads>>>(grey, edges, image->width, image->height);
    median<<<blocks, threads>>>(edges, grey, image->width, image->height);
    return 0;
}
