// One thread takes the lock for its block, all add between two barriers, and it gives the lock back.
// launch: grid=3 block=64 args: in=192:arange lock=1:zeros sums=64:zeros
// finding: none

__global__ void add(const int* in, int* lock, int* sums)
{
    int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
    }
    __syncthreads();
    sums[t] += in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        atomicExch(lock, 0);
    }
}
