// Each bucket has a lock of its own.
// launch: grid=6 block=32 args: in=6:arange locks=3:zeros sums=3:zeros
// finding: none

__global__ void add(const int* in, int* locks, int* sums)
{
    if (threadIdx.x != 0)
        return;
    int bucket = in[blockIdx.x] % 3;
    while (atomicCAS(&locks[bucket], 0, 1) != 0) {}
    __threadfence();
    sums[bucket] += in[blockIdx.x];
    __threadfence();
    atomicExch(&locks[bucket], 0);
}
