// Runs the text of a CUDA kernel on the host: every CUDA thread of a block is a thread of the system, the blocks come one after
// the other, and a barrier is a barrier. Slow, and exact about who reads what before whom.

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

struct Index {
    unsigned x, y;
};

struct Shape {
    Index grid, block;
};

static Index gridDim, blockDim;
static thread_local Index threadIdx, blockIdx;
static std::barrier<>* block_barrier;

struct alignas(16) float4 {
    float x, y, z, w;
};

#define __global__
#define __device__ static
#define __constant__ static
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static
#define __syncthreads() block_barrier->arrive_and_wait()

// A copy arrives when it sets out, at the earliest that it may.
inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0)
{
    memcpy(to, from, bytes - zeros);
    memset((char*)to + bytes - zeros, 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(unsigned) {}

inline void read(std::vector<float>& matrix)
{
    if (fread(matrix.data(), sizeof(float), matrix.size(), stdin) != matrix.size())
        exit(2);
}

template <typename Kernel>
void launch(Shape shape, Kernel kernel)
{
    auto [grid, block] = shape;
    gridDim = grid;
    blockDim = block;
    std::barrier<> barrier(block.x * block.y);
    block_barrier = &barrier;
    std::vector<std::thread> threads;
    for (unsigned y = 0; y < block.y; ++y)
        for (unsigned x = 0; x < block.x; ++x)
            threads.emplace_back([=, &barrier] {
                threadIdx = {x, y};
                for (unsigned row = 0; row < grid.y; ++row)
                    for (unsigned column = 0; column < grid.x; ++column) {
                        blockIdx = {column, row};
                        kernel();
                        barrier.arrive_and_wait();
                    }
            });
    for (auto& thread : threads)
        thread.join();
}
