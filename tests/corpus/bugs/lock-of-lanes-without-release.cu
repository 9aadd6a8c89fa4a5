// Threads of a block take turns under a lock without a fence before the giving back.
// launch: grid=1 block=40 args: in=64:arange lock=1:zeros total=1:zeros
// finding: data-race 11

__global__ void add(const int* in, int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence_block();
            *total += in[threadIdx.x];
            atomicExch(lock, 0);
            done = true;
        }
    }
}
