// All but one store the same value; that one reads what they may not have stored yet.
// launch: grid=1 block=64 args: out=64 n=5
// finding: data-race 9 10

__global__ void scale(int* out, int n)
{
    __shared__ int factor;
    if (threadIdx.x != 40)
        factor = 2 * n;
    out[threadIdx.x] = factor;
}
