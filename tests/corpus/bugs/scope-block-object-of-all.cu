// Blocks add to one atomic object whose scope is the block.
// launch: grid=2 block=32 args: sum=1:zeros
// finding: data-race 9
#include <cuda/atomic>

__global__ void add(int* sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> total(*sum);
    total.fetch_add(threadIdx.x, cuda::memory_order_relaxed);
}
