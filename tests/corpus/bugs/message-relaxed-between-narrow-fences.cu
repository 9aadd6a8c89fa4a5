// Relaxed, and the fence of libcu++ before the store is of the block's scope.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 10 15
#include <cuda/atomic>

__global__ void pass(int* flag, int* data, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {}
        *out = *data;
    }
}
