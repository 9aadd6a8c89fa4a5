// A lock whose fences reach the threads of one block only.
//
//   atomicCAS    0 -> 1
//   fence of the block
//   total += in
//   fence of the block
//   atomicExch   1 -> 0
//
// Other blocks want the lock.
//
// Launch: 4 blocks; thread 0 of each adds one number.

extern "C" __global__ void locked_sum(
    const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence_block();
    total[0] += in[blockIdx.x];
    __threadfence_block();
    atomicExch(lock, 0);
}
