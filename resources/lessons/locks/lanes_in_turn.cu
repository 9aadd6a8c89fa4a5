// All threads of a warp want one lock, and take turns.
//
//   in each round  all that still wait try once
//                  the one that gets it adds, and gives it back
//
// Who has the lock never has to wait for those that do not.
//
// Launch: one block of 32 threads.

extern "C" __global__ void locked_sum(
    const int* in, int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            total[0] += in[threadIdx.x];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
