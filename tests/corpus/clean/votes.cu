// Barriers with a count, and votes of warps.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: none

__global__ void votes(const int* in, int* out)
{
    int v = in[threadIdx.x];
    int large = __syncthreads_count(v > 40);
    int all = __syncthreads_and(v >= 0);
    int any = __syncthreads_or(v == 17);
    out[threadIdx.x] = large + 100 * all + 1000 * any + 10000 * __any_sync(0xffffffffu, v == 40);
}
