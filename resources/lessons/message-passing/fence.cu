// A message that is right: a fence before the flag.
//
//   block 0             block 1
//   write data          wait until flag is 1
//   barrier             fence
//   fence               barrier
//   write flag          read data
//
// Launch: 2 blocks of 64 threads.

extern "C" __global__ void pass(
    const int* in, volatile int* flag, int* data, int* out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 2 * in[t];
        __syncthreads();
        if (t == 0) {
            __threadfence();
            flag[0] = 1;
        }
    } else {
        if (t == 0) {
            while (flag[0] == 0) {}
            __threadfence();
        }
        __syncthreads();
        out[t] = data[t];
    }
}
