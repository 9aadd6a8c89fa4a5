// The largest value of A, and where it is.
//
//   best[0] = A[i]      the largest of all
//   best[1] = i         its place, the first of equal ones
//
// Both must change together: a lock lets one block in at a time.
//
//   lock[0]   0: free, 1: taken
//
// Launch: blocks of 64 threads that cover the n values.

extern "C" __global__ void largest(
    const int* A, int* lock, int* best, int n)
{
    if (threadIdx.x != 0)
        return;

    int first = blockIdx.x * blockDim.x, at = first;
    for (int i = first; i < min(first + (int)blockDim.x, n); ++i)
        if (A[i] > A[at])
            at = i;

    while (atomicCAS(lock, 0, 1) != 0) {}
    if (at < n && (A[at] > best[0]
                   || (A[at] == best[0] && at < best[1]))) {
        best[0] = A[at];
        best[1] = at;
    }
    __threadfence_block();
    atomicExch(lock, 0);
}
