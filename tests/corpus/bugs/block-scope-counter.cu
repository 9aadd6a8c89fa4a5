// Blocks count together, with an atomic that excludes only threads of one block.
// launch: grid=2 block=32 args: count=1:zeros
// finding: data-race 7

__global__ void tally(int* count)
{
    atomicAdd_block(count, 1);
}
