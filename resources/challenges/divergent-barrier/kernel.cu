// Each block turns its part of A round.
//
//   A   0 1 2 3 | 4 5 6 7 | 8 9
//   C   3 2 1 0 | 7 6 5 4 | 9 8     the last part is shorter
//
// All values of a part are in shared memory before the first of
// them is written: C may be the same array as A.
//
// Launch: blocks of 128 threads that cover the n values.

extern "C" __global__ void turned(
    const float* A, float* C, int n)
{
    __shared__ float part[128];

    int first = blockIdx.x * blockDim.x;
    int i = first + threadIdx.x;
    int count = min((int)blockDim.x, n - first);

    if (i < n) {
        part[threadIdx.x] = A[i];
        __syncthreads();
        C[i] = part[count - 1 - threadIdx.x];
    }
}
