// An atomic object of the whole system, counted up by all blocks, with the order that it has if nothing is said.
// launch: grid=2 block=32 args: count=1:zeros
// finding: none
#include <cuda/atomic>

__global__ void count(int* count)
{
    cuda::atomic_ref<int> all(*count);
    all++;
    all.fetch_sub(2);
}
