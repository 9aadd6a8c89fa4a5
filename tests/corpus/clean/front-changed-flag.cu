// Whoever changes something stores the same to one flag.
// launch: grid=2 block=32 args: level=64:arange changed=1:zeros n=64
// finding: none

__global__ void relax(int* level, int* changed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && level[i] > 10) {
        level[i] = 10;
        *changed = 1;
    }
}
