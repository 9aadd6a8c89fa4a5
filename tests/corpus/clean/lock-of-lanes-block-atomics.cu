// The same with atomics of the block's scope.
// launch: grid=1 block=40 args: in=64:arange lock=1:zeros total=1:zeros
// finding: none

__global__ void add(const int* in, int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS_block(lock, 0, 1) == 0) {
            __threadfence_block();
            *total += in[threadIdx.x];
            __threadfence_block();
            atomicExch_block(lock, 0);
            done = true;
        }
    }
}
