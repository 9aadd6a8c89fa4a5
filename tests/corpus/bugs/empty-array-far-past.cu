// An array without elements: what is stored far past it is in no other array, and meets nobody there.
// launch: grid=2 block=64 args: none=0 out=4096 pick=0
// finding: out-of-bounds 9

__global__ void store(int* none, int* out, int pick)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* place = pick ? out : none;
    place[i + 1024] = i;
    out[i] = 1;
    out[i + 1024] = 2;
}
