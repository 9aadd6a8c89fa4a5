// A block writes its own part of global memory and reads it back after a barrier.
// launch: grid=2 block=64 args: in=128:arange scratch=128 out=128
// finding: none

__global__ void through(const int* in, int* scratch, int* out)
{
    int* own = scratch + blockIdx.x * 64;
    int t = threadIdx.x, base = blockIdx.x * 64;
    own[t] = in[base + t];
    __syncthreads();
    out[base + t] = own[63 - t];
}
