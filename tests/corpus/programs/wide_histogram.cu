// Letters of a text counted with 64-bit counters: each block in shared memory first, then in the totals of all.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                         \
    do {                                                                                    \
        cudaError_t status = (call);                                                        \
        if (status != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            exit(EXIT_FAILURE);                                                             \
        }                                                                                   \
    } while (0)

const int BINS = 26;
typedef unsigned long long count_t;

__global__ void count_letters(const char* text, size_t length, count_t* totals)
{
    __shared__ unsigned mine[BINS];
    if (threadIdx.x < BINS)
        mine[threadIdx.x] = 0;
    __syncthreads();
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        if (c >= 'a' && c <= 'z')
            atomicAdd(&mine[c - 'a'], 1u);
    }
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&totals[threadIdx.x], (count_t)mine[threadIdx.x]);
}

int main(int argc, char** argv)
{
    const char* sentence = "The quick brown fox jumps over the lazy dog. ";
    size_t copies = argc > 1 ? strtoul(argv[1], nullptr, 10) : 64, one = strlen(sentence), length = copies * one;
    char* text = (char*)malloc(length + 1);
    for (size_t i = 0; i < copies; ++i)
        strcpy(text + i * one, sentence);
    char* device_text = nullptr;
    count_t* device_totals = nullptr;
    CHECK(cudaMalloc((void**)&device_text, length));
    CHECK(cudaMalloc((void**)&device_totals, BINS * sizeof(count_t)));
    CHECK(cudaMemcpy(device_text, text, length, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_totals, 0, BINS * sizeof(count_t)));
    count_letters<<<4, 128>>>(device_text, length, device_totals);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    count_t totals[BINS], sum = 0;
    CHECK(cudaMemcpy(totals, device_totals, sizeof totals, cudaMemcpyDeviceToHost));
    puts("letter,count,share");
    for (int i = 0; i < BINS; ++i)
        sum += totals[i];
    for (int i = 0; i < BINS; ++i)
        printf("%c,%llu,%.4f\n", 'a' + i, totals[i], (double)totals[i] / sum);
    printf("total,%llu of %zu characters\n", sum, length);
    CHECK(cudaFree(device_text));
    CHECK(cudaFree(device_totals));
    free(text);
    return 0;
}
