// printf and assert do nothing wrong.
// launch: grid=1 block=4 args: in=4:arange
// finding: none

#include <assert.h>
#include <stdio.h>

__global__ void hello(const int* in)
{
    assert(in[threadIdx.x] >= 0);
    if (threadIdx.x % 2 == 0)
        printf("thread %d holds %d\n", threadIdx.x, in[threadIdx.x]);
}
