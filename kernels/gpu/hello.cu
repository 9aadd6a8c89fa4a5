// Hello threads: every thread of a grid says where it is.
//
//   Block 0            Block 1            Block 2
//   (0,0) (1,0) (2,0)  (0,0) (1,0) (2,0)  (0,0) ...
//   (0,1) (1,1) (2,1)  (0,1) (1,1) (2,1)  (0,1) ...
//
// One kernel, one text; threadIdx says which thread of its block
// runs it, blockIdx which block of the grid.
//
// In which order do the lines come? Threads are numbered along x
// first, then y. 32 in a row form a warp and run together: as a
// rule their lines come together, in the order of their numbers.
// Warps and blocks run when and where there is room. Block 0
// need not come first, and blocks that run at the same time can
// mix: the lines of a block need not stand together. All of it
// may differ from run to run. Only the work of one thread
// happens in the order written.
//
// printf on the GPU writes into a buffer, which the host shows
// when it waits for the kernel. What the host itself prints
// before that, such as "Hello World from the host!", therefore
// stands above all lines of the threads.
//
// Next: matmul_naive.cu. The same numbers choose an element of
// C for each thread.
//
// Launch: a row of blocks, each of x times y threads. x * y is
// at most 1024.

extern "C" __global__ void hello()
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    int block = blockIdx.x;

    printf("Hello World from Thread (%d, %d) in Block %d!\n",
           x, y, block);
}
