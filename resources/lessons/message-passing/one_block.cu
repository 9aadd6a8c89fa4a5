// The same between two warps of one block, with narrow fences.
//
//   warp 0              warp 1
//   write data          wait until flag is 1
//   fence of the block  fence of the block
//   write flag          read data
//
// Launch: 1 block of 64 threads.

extern "C" __global__ void pass(
    const int* in, volatile int* flag, int* data, int* out)
{
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        data[lane] = 2 * in[lane];
        __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            flag[0] = 1;
        }
    } else {
        if (lane == 0) {
            while (flag[0] == 0) {}
            __threadfence_block();
        }
        __syncwarp();
        out[lane] = data[lane];
    }
}
