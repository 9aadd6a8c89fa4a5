// Blocks add to one sum, one after the other: a lock.
//
//   atomicCAS    0 -> 1     one block gets it, others try again
//   total += in
//   atomicExch   1 -> 0     free for the next one
//
// No fence stands in it.
//
// Launch: 4 blocks; thread 0 of each adds one number.

extern "C" __global__ void locked_sum(
    const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    total[0] += in[blockIdx.x];
    atomicExch(lock, 0);
}
