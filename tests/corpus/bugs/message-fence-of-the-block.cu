// The writer's fence orders within its block only.
// launch: grid=2 block=1 args: flag=1:zeros data=1 out=1
// finding: data-race 8 14

__global__ void pass(volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence_block();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *data;
    }
}
