// Quicksort whose kernel launches itself for both halves, each in a stream of its own.
#include <cstdio>
#include <cstdlib>
#include "check.h"

#define SMALL 8
#define DEEPEST 12

__device__ void selection_sort(int* data, int left, int right)
{
    for (int i = left; i < right; ++i) {
        int least = i;
        for (int j = i + 1; j <= right; ++j)
            if (data[j] < data[least])
                least = j;
        int kept = data[i];
        data[i] = data[least];
        data[least] = kept;
    }
}

__global__ void quicksort(int* data, int left, int right, int depth)
{
    if (depth >= DEEPEST || right - left <= SMALL) {
        selection_sort(data, left, right);
        return;
    }
    int* l = data + left;
    int* r = data + right;
    int pivot = data[(left + right) / 2];
    while (l <= r) {
        while (*l < pivot)
            ++l;
        while (*r > pivot)
            --r;
        if (l <= r) {
            int kept = *l;
            *l++ = *r;
            *r-- = kept;
        }
    }
    int right_end = (int)(r - data), left_begin = (int)(l - data);
    if (left < right_end) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, left, right_end, depth + 1);
        cudaStreamDestroy(stream);
    }
    if (left_begin < right) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, left_begin, right, depth + 1);
        cudaStreamDestroy(stream);
    }
}

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 128;
    int* host = (int*)malloc(n * sizeof(int));
    unsigned state = 2463534242u;
    for (int i = 0; i < n; ++i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        host[i] = state % 1000;
    }
    int* data;
    CHECK(cudaMalloc(&data, n * sizeof(int)));
    CHECK(cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice));
    quicksort<<<1, 1>>>(data, 0, n - 1, 0);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 1; i < n; ++i)
        wrong += host[i - 1] > host[i];
    printf("%d numbers, %d out of order\n", n, wrong);
    CHECK(cudaFree(data));
    free(host);
    return wrong != 0;
}
