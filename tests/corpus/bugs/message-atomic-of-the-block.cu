// The flag is set by an atomic of the block's scope.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 9 15
// finding: data-race 11 13

__global__ void pass(int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch_block(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = *data;
    }
}
