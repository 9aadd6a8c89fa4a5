// After the flag the writer changes the data once more.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 11 15

__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
        *data = 43;
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *data;
    }
}
