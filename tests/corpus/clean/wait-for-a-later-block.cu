// Block 0 waits for what block 1 writes.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: none

__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 1) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *data;
    }
}
