// Blocks draw slots from one counter with an atomic of the block's scope: two may get the same.
// launch: grid=2 block=32 args: in=64:arange next=1:zeros out=64:zeros
// finding: data-race 9

__global__ void compact(const int* in, int* next, int* out)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (in[i] % 2 == 0) {
        int slot = atomicAdd_block(next, 1);
        atomicExch(&out[slot], in[i]);
    }
}
