// Loops of no round touch nothing.
// launch: grid=1 block=32 args: in=1:arange out=32 n=0
// finding: none

__global__ void nothing(const int* in, int* out, int n)
{
    int sum = 0;
    for (int k = 0; k < n; ++k)
        sum += in[1000 + k];
    out[threadIdx.x] = sum;
}
