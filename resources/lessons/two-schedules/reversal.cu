// Turns 64 numbers round, without a barrier.
//
//   write s[t]          64 threads: warp 0 and warp 1
//   (no barrier)        has the other warp written?
//   read  s[63 - t]     what a thread of the other warp writes
//
// Which warp comes first, nobody says.
//
// Launch: one block of 64 threads.

extern "C" __global__ void reversal(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;

    s[t] = in[t];
    out[t] = s[63 - t];
}
