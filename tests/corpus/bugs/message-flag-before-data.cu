// The flag is set before what it announces.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 10 14

__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        __threadfence();
        *flag = 1;
        *data = 42;
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *data;
    }
}
