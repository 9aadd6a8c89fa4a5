// The fence stands behind the flag, not before it.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 8 14

__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        *flag = 1;
        __threadfence();
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *data;
    }
}
