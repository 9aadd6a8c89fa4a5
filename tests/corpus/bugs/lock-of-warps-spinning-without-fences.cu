// A thread of each warp spins for a lock of its block that has no fences.
// launch: grid=1 block=96 args: in=3:arange total=1:zeros
// finding: data-race 13

__global__ void add(const int* in, int* total)
{
    __shared__ int lock;
    if (threadIdx.x == 0)
        lock = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS_block(&lock, 0, 1) != 0) {}
        *total += in[threadIdx.x / 32];
        atomicExch_block(&lock, 0);
    }
}
