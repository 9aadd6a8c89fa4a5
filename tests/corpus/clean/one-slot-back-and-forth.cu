// A warp fills a slot, another empties it, and each waits for the other.
// launch: grid=1 block=64 args: in=4:arange out=4
// finding: none

__global__ void stream(const int* in, int* out)
{
    __shared__ int slot;
    __shared__ volatile int full;
    if (threadIdx.x == 0)
        full = 0;
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        if (threadIdx.x == 0) {
            while (full == 1) {}
            __threadfence_block();
            slot = in[i];
            __threadfence_block();
            full = 1;
        } else if (threadIdx.x == 32) {
            while (full == 0) {}
            __threadfence_block();
            out[i] = slot;
            __threadfence_block();
            full = 0;
        }
    }
}
