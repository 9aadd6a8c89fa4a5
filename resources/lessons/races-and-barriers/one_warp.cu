// 32 values are turned round, by one warp without a barrier.
//
//   write s[lane]      lane 0 1 2 ... 31
//   (no barrier)
//   read  s[31 - lane]
//
// Warps have run in step for years, and this text relied on it.
// Since Volta the lanes of a warp may part. What orders them is
// __syncwarp(), or __syncthreads().
//
// Launch: one block of 32 threads.

extern "C" __global__ void one_warp(const float* in, float* out)
{
    __shared__ float s[32];
    int lane = threadIdx.x;

    s[lane] = in[lane];
    out[lane] = s[31 - lane];
}
