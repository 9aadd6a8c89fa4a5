// Each thread takes a place by an atomic and writes there alone.
// launch: grid=1 block=64 args: in=64:arange count=1:zeros out=64
// finding: none

__global__ void compact(const int* in, int* count, int* out)
{
    int v = in[threadIdx.x];
    if (v % 3 == 0)
        out[atomicAdd(count, 1)] = v;
}
