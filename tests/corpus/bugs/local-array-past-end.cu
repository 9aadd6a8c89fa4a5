// An array of four registers is indexed by five.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: out-of-bounds 8

__global__ void small(const int* in, int* out)
{
    int r[4] = {1, 2, 3, 4};
    out[threadIdx.x] = r[in[threadIdx.x] % 5];
}
