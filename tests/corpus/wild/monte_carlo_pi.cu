// Pi by random points: a generator of random numbers in each thread, 64-bit counters, a vote of the warp.
#include <cuda_runtime.h>
#include <iostream>
#include <string>

namespace rng {
constexpr unsigned long long MULTIPLIER = 6364136223846793005ULL;

struct State {
    unsigned long long value;
    unsigned long long increment;
};

__device__ inline unsigned int next(State* state)
{
    unsigned long long old = state->value;
    state->value = old * MULTIPLIER + (state->increment | 1);
    unsigned int xorshifted = ((old >> 18u) ^ old) >> 27u;
    unsigned int rot = old >> 59u;
    return (xorshifted >> rot) | (xorshifted << ((-rot) & 31));
}

__device__ inline float uniform(State* state) { return (next(state) >> 8) * (1.0f / 16777216.0f); }
} // namespace rng

__global__ void count_inside(unsigned long long* inside, unsigned int seed, int points)
{
    rng::State state;
    state.value = seed + 0x9E3779B97F4A7C15ULL * (blockIdx.x * blockDim.x + threadIdx.x);
    state.increment = threadIdx.x;
    rng::next(&state);

    unsigned long long mine = 0;
    while (points-- > 0) {
        const float x = rng::uniform(&state), y = rng::uniform(&state);
        const unsigned int hit = __ballot_sync(0xffffffffu, x * x + y * y < 1.0f);
        if ((threadIdx.x & 31) == 0)
            mine += __popc(hit);
    }
    if ((threadIdx.x & 31) == 0)
        atomicAdd(inside, mine);
}

int main(int argc, char** argv)
{
    const int points = argc > 1 ? std::stoi(argv[1]) : 1000;
    unsigned long long *inside, host = 0;
    cudaMalloc(&inside, sizeof host);
    cudaMemset(inside, 0, sizeof host);
    count_inside<<<128, 256>>>(inside, 1234u, points);
    cudaMemcpy(&host, inside, sizeof host, cudaMemcpyDeviceToHost);
    std::cout << 4.0 * host / (128.0 * 256.0 * points) << std::endl;
}
