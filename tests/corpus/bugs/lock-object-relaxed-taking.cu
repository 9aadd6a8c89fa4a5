// The lock is taken by a relaxed exchange.
// launch: grid=4 block=1 args: in=4:arange lock=1:zeros total=1:zeros
// finding: data-race 10
#include <cuda/atomic>

__global__ void add(const int* in, int* lock, int* total)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> held(*lock);
    while (held.exchange(1, cuda::memory_order_relaxed) == 1) {}
    *total += in[blockIdx.x];
    held.store(0, cuda::memory_order_release);
}
