// An unsigned counter is always at least zero.
// launch: grid=1 block=32 args: out=32 budget: 0.3
// finding: budget-exceeded 8

__global__ void endless(unsigned* out)
{
    unsigned sum = 0;
    for (unsigned k = 7; k >= 0; --k)
        sum += k;
    out[threadIdx.x] = sum;
}
