// The same message with libcu++: the order stands with the flag.
//
//   block 0             block 1
//   write data          load flag, acquire, until it is 1
//   barrier             barrier
//   store flag, release read data
//
// Launch: 2 blocks of 64 threads.
#include <cuda/atomic>

extern "C" __global__ void pass(
    const int* in, int* flag, int* data, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 2 * in[t];
        __syncthreads();
        if (t == 0)
            ready.store(1, cuda::memory_order_release);
    } else {
        if (t == 0)
            while (ready.load(cuda::memory_order_acquire) == 0) {}
        __syncthreads();
        out[t] = data[t];
    }
}
