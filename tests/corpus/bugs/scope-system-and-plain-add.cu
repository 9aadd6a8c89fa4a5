// One block adds without an atomic, the other with one of the widest scope.
// launch: grid=2 block=1 args: sum=1:zeros
// finding: data-race 8 10

__global__ void add(int* sum)
{
    if (blockIdx.x == 0)
        atomicAdd_system(sum, 1);
    else
        *sum += 1;
}
