// Pi by chance: every thread has a state of its own in global memory, set up by one kernel and used by another.
#include <cstdio>
#include <cstdlib>
#include <curand_kernel.h>

__global__ void setup(curandState* states, unsigned long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}

__global__ void count(curandState* states, int* hits, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state = states[i];
    int found = 0;
    for (int k = 0; k < rounds; ++k) {
        float x = curand_uniform(&state);
        float y = curand_uniform(&state);
        if (x * x + y * y <= 1.0f) found++;
    }
    states[i] = state;
    atomicAdd(hits, found);
}

int main() {
    const int blocks = 4, threads = 64, rounds = 40;
    curandState* states;
    int *hits, h;
    cudaMalloc(&states, blocks * threads * sizeof(curandState));
    cudaMalloc(&hits, sizeof(int));
    cudaMemset(hits, 0, sizeof(int));
    setup<<<blocks, threads>>>(states, 2024);
    for (int round = 0; round < 2; ++round) {
        count<<<blocks, threads>>>(states, hits, rounds);
        cudaMemcpy(&h, hits, sizeof(int), cudaMemcpyDeviceToHost);
        printf("%d of %d: %.4f\n", h, (round + 1) * blocks * threads * rounds, 4.0 * h / ((round + 1) * blocks * threads * rounds));
    }
    cudaFree(states);
    cudaFree(hits);
}
