// The lock is that of one bucket, the sum that of another.
// launch: grid=6 block=32 args: in=6:arange locks=3:zeros sums=3:zeros
// finding: data-race 12

__global__ void add(const int* in, int* locks, int* sums)
{
    if (threadIdx.x != 0)
        return;
    int bucket = in[blockIdx.x] % 3;
    while (atomicCAS(&locks[bucket], 0, 1) != 0) {}
    __threadfence();
    sums[in[blockIdx.x] / 3] += in[blockIdx.x];
    __threadfence();
    atomicExch(&locks[bucket], 0);
}
