// Threads of a block take turns under a lock without a fence behind the taking.
// launch: grid=1 block=40 args: in=64:arange lock=1:zeros total=1:zeros
// finding: data-race 10

__global__ void add(const int* in, int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *total += in[threadIdx.x];
            __threadfence_block();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
