// The arrival releases: the other block of the cluster sees what was stored in global memory.
// launch: grid=2 block=64 args: held=128:zeros out=128
// finding: none

__global__ __cluster_dims__(2, 1, 1) void pass(int* held, int* out)
{
    int t = threadIdx.x, other = blockIdx.x ^ 1;
    held[blockIdx.x * 64 + t] = t + 1;
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    out[blockIdx.x * 64 + t] = held[other * 64 + t];
}
