// The store is relaxed: it does not say what came before it.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 10 14
#include <cuda/atomic>

__global__ void pass(int* flag, int* data, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {}
        *out = *data;
    }
}
