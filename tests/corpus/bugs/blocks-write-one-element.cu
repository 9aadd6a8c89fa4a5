// Every block writes its own number to one element of global memory.
// launch: grid=4 block=32 args: out=1
// finding: data-race 8 8

__global__ void last(int* out)
{
    if (threadIdx.x == 0)
        out[0] = blockIdx.x;
}
