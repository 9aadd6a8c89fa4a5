// Block 0 waits for what block 1 writes without a fence.
// launch: grid=2 block=1 args: flag=1:zeros data=1:zeros out=1
// finding: data-race 8 12

__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 1) {
        *data = 42;
        *flag = 1;
    } else {
        while (*flag == 0) {}
        *out = *data;
    }
}
