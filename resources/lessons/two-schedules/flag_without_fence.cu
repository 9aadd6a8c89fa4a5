// Block 0 hands a number to block 1, without a fence.
//
//   block 0             block 1
//   write data          wait until flag is 1
//   write flag          read data
//
// Both sides do their accesses in this order. Whether the other
// block sees them in this order, nothing says.
//
// Launch: 2 blocks of one thread.

extern "C" __global__ void flag_without_fence(
    volatile int* flag, int* data, int* out)
{
    if (blockIdx.x == 0) {
        data[0] = 42;
        flag[0] = 1;
    } else {
        while (flag[0] == 0) {}
        out[0] = data[0];
    }
}
