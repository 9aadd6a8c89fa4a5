// Blocks count themselves in and wait until all have: fence, count, wait, meet.
// launch: grid=3 block=32 args: in=96:arange half=96:zeros out=96 arrived=1:zeros
// finding: none

__global__ void exchange(const int* in, int* half, int* out, int* arrived)
{
    int t = threadIdx.x, b = blockIdx.x;
    half[b * 32 + t] = in[b * 32 + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile int*)arrived < gridDim.x) {}
    }
    __syncthreads();
    out[b * 32 + t] = half[(gridDim.x - 1 - b) * 32 + t];
}
