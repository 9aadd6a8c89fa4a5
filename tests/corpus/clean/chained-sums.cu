// Each block waits for the one before it, adds its sum, and sets the flag of the next behind a fence.
// launch: grid=4 block=32 args: in=128:arange flags=5:zeros sums=5:zeros out=4
// finding: none

__global__ void chained(const int* in, int* flags, int* sums, int* out)
{
    __shared__ int before;
    int b = blockIdx.x, total = __reduce_add_sync(0xffffffffu, in[b * 32 + threadIdx.x]);
    if (threadIdx.x == 0) {
        while (b > 0 && atomicAdd(&flags[b], 0) == 0) {}
        before = b > 0 ? sums[b] : 0;
        sums[b + 1] = before + total;
        __threadfence();
        atomicAdd(&flags[b + 1], 1);
        out[b] = before + total;
    }
}
