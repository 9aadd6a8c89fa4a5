// All threads of a warp want one lock, and spin until they
// have it.
//
//   lane 0        has the lock, stands behind the loop
//   lanes 1..31   try again, and again
//
// Launch: one block of 32 threads.

extern "C" __global__ void locked_sum(
    const int* in, int* lock, int* total)
{
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    total[0] += in[threadIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}
