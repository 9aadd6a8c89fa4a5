// All threads count with a plain increment in global memory.
// launch: grid=2 block=32 args: count=1:zeros
// finding: data-race 7 7

__global__ void visits(int* count)
{
    *count = *count + 1;
}
