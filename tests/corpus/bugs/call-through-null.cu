// The table has a function for every second thread: the others call through a null pointer.
// launch: grid=1 block=32 args: out=32
// finding: out-of-bounds 13

typedef float (*Step)(float);

__device__ float twice(float x) { return 2 * x; }
__device__ Step steps[2] = {twice};

__global__ void staged(float* out)
{
    Step step = steps[threadIdx.x & 1];
    out[threadIdx.x] = step(threadIdx.x);
}
