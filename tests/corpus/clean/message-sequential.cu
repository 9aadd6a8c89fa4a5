// An atomic object with the order that it has if nothing is said.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: none
#include <cuda/atomic>

__global__ void pass(int* flag, int* data, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_system> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_seq_cst);
    } else {
        while (ready.load(cuda::memory_order_seq_cst) == 0) {}
        *out = *data;
    }
}
