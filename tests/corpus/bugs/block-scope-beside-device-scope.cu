// One block counts with an atomic of its own scope, another with one of the whole device.
// launch: grid=2 block=32 args: count=1:zeros
// finding: data-race 10 12
#include <cuda/atomic>

__global__ void tally(int* count)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*count);
    if (blockIdx.x == 0)
        atomicAdd_block(count, 1);
    else
        all.fetch_add(1, cuda::memory_order_relaxed);
}
