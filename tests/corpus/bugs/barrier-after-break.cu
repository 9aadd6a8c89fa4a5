// Some threads leave the loop and miss its barrier.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: barrier-divergence 12

__global__ void leave(const int* in, int* out)
{
    int v = in[threadIdx.x];
    for (int k = 0; k < 4; ++k) {
        if (v > 40)
            break;
        v += 7;
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
