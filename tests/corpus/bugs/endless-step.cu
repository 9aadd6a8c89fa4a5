// A loop for some threads only steps over its end.
// launch: grid=1 block=32 args: out=32 budget: 0.3
// finding: budget-exceeded 8

__global__ void step(int* out)
{
    int k = threadIdx.x;
    while (k != 40)
        k += 2;
    out[threadIdx.x] = k;
}
