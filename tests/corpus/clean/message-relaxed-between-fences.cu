// Relaxed, but fences of libcu++ stand before the store and behind the load.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: none
#include <cuda/atomic>

__global__ void pass(int* flag, int* data, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {}
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *out = *data;
    }
}
