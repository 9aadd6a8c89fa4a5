// A local array indexed by a value that stays inside of it.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: none

__global__ void small(const int* in, int* out)
{
    int r[4] = {1, 2, 3, 4};
    r[in[threadIdx.x] % 4] += 5;
    out[threadIdx.x] = r[(in[threadIdx.x] + 1) % 4];
}
