// The release belongs to one object, but the reader waits for another, stored relaxed.
// launch: grid=2 block=1 args: flags=2:zeros data=1 out=1
// finding: data-race 10 15
#include <cuda/atomic>

__global__ void pass(int* flags, int* data, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> first(flags[0]), second(flags[1]);
    if (blockIdx.x == 0) {
        *data = 42;
        first.store(1, cuda::memory_order_release);
        second.store(1, cuda::memory_order_relaxed);
    } else {
        while (second.load(cuda::memory_order_acquire) == 0) {}
        *out = *data;
    }
}
