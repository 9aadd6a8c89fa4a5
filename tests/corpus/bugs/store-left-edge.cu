// The first thread writes before the array.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: out-of-bounds 9

__global__ void shift(const int* in, int* out)
{
    int i = threadIdx.x;
    int v = in[i];
    out[i - 1] = v;
}
