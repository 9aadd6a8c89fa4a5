// The flag is atomic, but the writer has no fence.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 8 13

__global__ void pass(int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = *data;
    }
}
