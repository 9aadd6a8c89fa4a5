// A block counts itself in before all of its threads have written.
// launch: grid=3 block=64 args: in=192:arange half=192:zeros out=192 arrived=1:zeros
// finding: data-race 8 15

__global__ void exchange(const int* in, int* half, int* out, int* arrived)
{
    int t = threadIdx.x, b = blockIdx.x;
    half[b * 64 + t] = in[b * 64 + t];
    if (t == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile int*)arrived < gridDim.x) {}
    }
    __syncthreads();
    out[b * 64 + t] = half[(gridDim.x - 1 - b) * 64 + t];
}
