// From warp to warp, then on to another block, but without a fence of the device.
// launch: grid=2 block=64 args: flags=2:zeros data=1 out=1
// finding: data-race 10 20

__global__ void pass(int* flags, int* data, int* out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t == 0) {
            *data = 42;
            __threadfence_block();
            atomicExch_block(&flags[0], 1);
        }
        if (t == 32) {
            while (atomicAdd_block(&flags[0], 0) == 0) {}
            atomicExch(&flags[1], 1);
        }
    } else if (t == 0) {
        while (atomicAdd(&flags[1], 0) == 0) {}
        *out = *data;
    }
}
