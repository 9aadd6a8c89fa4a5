// The flag is set by an atomic, and waited for as volatile.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: none

__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch((int*)flag, 1);
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *data;
    }
}
