// All lanes give the lock back, also those that do not have it: another may be let in beside its holder.
// launch: grid=2 block=32 args: in=64:arange lock=1:zeros total=1:zeros
// finding: data-race 13 13

__global__ void add(const int* in, int* lock, int* total)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    bool done = false;
    while (!done) {
        bool mine = atomicCAS(lock, 0, 1) == 0;
        if (mine) {
            __threadfence();
            total[0] += in[i];
            __threadfence();
            done = true;
        }
        atomicExch(lock, 0);
    }
}
