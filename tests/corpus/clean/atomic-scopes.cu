// Each block counts in its own place with atomics of its scope, then all together; the last block reads what the others wrote.
// launch: grid=3 block=64 args: in=192:arange parts=3 done=1:zeros out=1
// finding: none
#include <cuda/atomic>

__global__ void tally(const int* in, int* parts, int* done, int* out)
{
    __shared__ int even;
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0)
        even = 0;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block> mine(even);
    if (in[blockIdx.x * blockDim.x + t] % 2 == 0)
        mine.fetch_add(1, cuda::memory_order_relaxed);
    atomicAdd_block(&even, 1);
    __syncthreads();
    if (t == 0) {
        parts[blockIdx.x] = even;
        cuda::atomic_ref<int, cuda::thread_scope_device> arrived(*done);
        last = arrived.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0)
        *out = parts[0] + parts[1] + parts[2];
}
