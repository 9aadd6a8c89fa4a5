// The flag is neither volatile nor atomic.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 11 13
// finding: data-race 9 15

__global__ void pass(int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (((int*)flag)[0] == 0) {}
        __threadfence();
        *out = *data;
    }
}
