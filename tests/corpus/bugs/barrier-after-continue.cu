// Some threads skip the rest of a round and its barrier.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: barrier-divergence 12

__global__ void skip(const int* in, int* out)
{
    int v = in[threadIdx.x];
    for (int k = 0; k < 3; ++k) {
        if ((v + k) % 2)
            continue;
        v += 5;
        __syncthreads();
    }
    out[threadIdx.x] = v;
}
