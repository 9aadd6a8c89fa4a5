// The flag is exchanged, and read by an atomic that adds nothing.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: none

__global__ void pass(int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = *data;
    }
}
