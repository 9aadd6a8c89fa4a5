// A lock whose atomics exclude the threads of one block only.
//
//   atomicCAS_block    0 -> 1
//   fence
//   total += in
//   fence
//   atomicExch_block   1 -> 0
//
// Other blocks want the lock.
//
// Launch: 4 blocks; thread 0 of each adds one number.

extern "C" __global__ void locked_sum(
    const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;

    while (atomicCAS_block(lock, 0, 1) != 0) {}
    __threadfence();
    total[0] += in[blockIdx.x];
    __threadfence();
    atomicExch_block(lock, 0);
}
