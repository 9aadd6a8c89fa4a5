// Blocks claim one place by a compare-and-swap of the block's scope.
// launch: grid=3 block=1 args: owner=1:zeros won=3
// finding: data-race 7

__global__ void claim(int* owner, int* won)
{
    won[blockIdx.x] = atomicCAS_block(owner, 0, blockIdx.x + 1) == 0;
}
