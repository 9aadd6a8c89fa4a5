// A thread waits for a flag that nobody sets.
// launch: grid=1 block=32 args: flag=1:zeros out=32
// finding: deadlock 7

__global__ void spin(volatile int* flag, int* out)
{
    while (*flag == 0) {
    }
    out[threadIdx.x] = 1;
}
