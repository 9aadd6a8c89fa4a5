// Batches of an image in streams, timed with events; rows of a pitch, two-dimensional copies, a filter with a border.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "check.h"

#define WIDTH 50
#define HEIGHT 40
#define STREAMS 4

__global__ void blur(const unsigned char* in, size_t in_pitch, unsigned char* out, size_t out_pitch, int first, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = first + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= first + rows)
        return;
    int sum = 0, count = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int px = x + dx, py = y + dy;
            if (px < 0 || py < 0 || px >= WIDTH || py >= HEIGHT)
                continue;
            sum += in[py * in_pitch + px];
            ++count;
        }
    out[y * out_pitch + x] = static_cast<unsigned char>((sum + count / 2) / count);
}

int main()
{
    unsigned char *image, *result, *in, *out;
    CHECK(cudaHostAlloc(&image, WIDTH * HEIGHT, cudaHostAllocDefault));
    CHECK(cudaMallocHost(&result, WIDTH * HEIGHT));
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        image[i] = (i * 7 + i / WIDTH * 31) % 256;
    size_t in_pitch, out_pitch;
    CHECK(cudaMallocPitch((void**)&in, &in_pitch, WIDTH, HEIGHT));
    CHECK(cudaMallocPitch((void**)&out, &out_pitch, WIDTH, HEIGHT));
    CHECK(cudaMemcpy2D(in, in_pitch, image, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));

    cudaStream_t streams[STREAMS];
    std::vector<cudaEvent_t> begin(STREAMS), end(STREAMS);
    for (int s = 0; s < STREAMS; ++s) {
        CHECK(cudaStreamCreate(&streams[s]));
        CHECK(cudaEventCreate(&begin[s]));
        CHECK(cudaEventCreate(&end[s]));
    }
    const int rows = HEIGHT / STREAMS;
    for (int s = 0; s < STREAMS; ++s) {
        int first = s * rows;
        CHECK(cudaEventRecord(begin[s], streams[s]));
        dim3 block(16, 4), grid((WIDTH + 15) / 16, (rows + 3) / 4);
        blur<<<grid, block, 0, streams[s]>>>(in, in_pitch, out, out_pitch, first, rows);
        CHECK(cudaMemcpy2DAsync(result + first * WIDTH, WIDTH, out + first * out_pitch, out_pitch, WIDTH, rows,
                                cudaMemcpyDeviceToHost, streams[s]));
        CHECK(cudaEventRecord(end[s], streams[s]));
    }
    CHECK(cudaGetLastError());
    int timed = 0;
    for (int s = 0; s < STREAMS; ++s) {
        float ms = -1;
        CHECK(cudaEventSynchronize(end[s]));
        CHECK(cudaEventElapsedTime(&ms, begin[s], end[s]));
        timed += ms > 0 && ms < 1000;
        CHECK(cudaEventDestroy(begin[s]));
        CHECK(cudaEventDestroy(end[s]));
        CHECK(cudaStreamDestroy(streams[s]));
    }
    unsigned sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        sum = sum * 31 + result[i];
    auto edges = std::minmax_element(result, result + WIDTH * HEIGHT);
    printf("%d of %d timed, %08x, from %d to %d\n", timed, STREAMS, sum, *edges.first, *edges.second);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFreeHost(image));
    CHECK(cudaFreeHost(result));
    return 0;
}
