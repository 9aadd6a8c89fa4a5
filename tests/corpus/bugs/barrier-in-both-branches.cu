// Two barriers, one for each side of a branch: the threads do not meet at one.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: barrier-divergence 11
// finding: barrier-divergence 14

__global__ void sides(const int* in, int* out)
{
    int v = in[threadIdx.x];
    if (v < 20) {
        v *= 2;
        __syncthreads();
    } else {
        v -= 1;
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
