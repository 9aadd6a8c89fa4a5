// What is enough within a block is too narrow for two.
// launch: grid=2 block=8 args: in=64:arange lock=1:zeros total=1:zeros
// finding: data-race 11

__global__ void add(const int* in, int* lock, int* total)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence_block();
            *total += in[threadIdx.x];
            __threadfence_block();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
