// Histogram of a binary picture (PGM): fgets, fgetc and ungetc for its head, fread for its points, fseek and ftell for its size.
#include <stdio.h>
#include <stdlib.h>

__global__ void histogram(const unsigned char* points, int count, unsigned int* bins) {
    __shared__ unsigned int own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) atomicAdd(&own[points[i] >> 5], 1u);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
    FILE* file = fopen("file_image.pgm", "rb");
    if (!file) { fprintf(stderr, "no picture\n"); return 1; }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fseek(file, 0, SEEK_SET);
    char magic[8], comment[64];
    if (!fgets(magic, sizeof magic, file) || magic[0] != 'P' || magic[1] != '5') { fprintf(stderr, "no PGM\n"); return 1; }
    int c = fgetc(file);
    while (c == '#') {
        if (fgets(comment, sizeof comment, file)) printf("comment:%s", comment);
        c = getc(file);
    }
    ungetc(c, file);
    int width, height, most;
    if (fscanf(file, "%d %d %d", &width, &height, &most) != 3) { fprintf(stderr, "no size\n"); return 1; }
    fgetc(file);
    printf("%d x %d, up to %d, %ld bytes, points from %ld\n", width, height, most, size, ftell(file));

    unsigned char* points = (unsigned char*)malloc(width * height);
    size_t rows = fread(points, width, height, file);
    printf("%zu rows, end met: %d, ", rows, feof(file) != 0);
    unsigned char beyond;
    size_t more = fread(&beyond, 1, 1, file);
    printf("then %zu, end met: %d\n", more, feof(file) != 0);
    fseek(file, -3, SEEK_END);
    printf("the last three: %d", fgetc(file));
    printf(" %d", fgetc(file));
    printf(" %d, error: %d\n", fgetc(file), ferror(file));
    fclose(file);

    unsigned char* device;
    unsigned int *bins, found[8];
    cudaMalloc(&device, width * height);
    cudaMalloc(&bins, sizeof found);
    cudaMemset(bins, 0, sizeof found);
    cudaMemcpy(device, points, width * height, cudaMemcpyHostToDevice);
    histogram<<<2, 32>>>(device, width * height, bins);
    cudaMemcpy(found, bins, sizeof found, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) printf("%3d..%3d: %u\n", i * 32, i * 32 + 31, found[i]);
    cudaFree(device);
    cudaFree(bins);
    free(points);
    return 0;
}
