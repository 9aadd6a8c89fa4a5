// One block counts with an atomic of its scope, the others with one of the system.
// launch: grid=3 block=32 args: count=1:zeros
// finding: data-race 8 10

__global__ void tally(unsigned* count)
{
    if (blockIdx.x == 1)
        atomicAdd_block(count, 1u);
    else
        atomicInc_system(count, 1000u);
}
