// The loop's variable never changes.
// launch: grid=1 block=32 args: out=32 n=5 budget: 0.3
// finding: budget-exceeded 8

__global__ void endless(int* out, int n)
{
    int i = 0;
    while (i < n)
        out[threadIdx.x] = i;
}
