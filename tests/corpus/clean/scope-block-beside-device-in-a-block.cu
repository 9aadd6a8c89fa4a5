// Within one block an atomic of its scope and one of the device's exclude each other.
// launch: grid=1 block=64 args: count=1:zeros
// finding: none

__global__ void count(int* count)
{
    if (threadIdx.x < 32)
        atomicAdd_block(count, 1);
    else
        atomicAdd(count, 1);
}
