// Turns n numbers round, 64 at a time, through one buffer.
//
//   write s[t]          the numbers of this round
//   barrier             all have written
//   read  s[63 - t]     what a thread of the other warp wrote
//   (no barrier)        have all read?
//   write s[t]          the numbers of the next round
//
// Launch: one block of 64 threads; n is a multiple of 64.

extern "C" __global__ void rounds_one_barrier(
    const float* in, float* out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;

    for (int first = 0; first < n; first += 64) {
        s[t] = in[first + t];
        __syncthreads();
        out[first + t] = s[63 - t];
    }
}
