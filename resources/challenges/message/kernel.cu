// Running sums: C[i] = A[0] + ... + A[i].
//
//   block 0 -> block 1 -> block 2 -> block 3
//
// Each block waits for the sum of all before it, adds its own
// part, and hands the sum on:
//
//   sums[b]     sum of all that stands before block b
//   flags[b]    1 where sums[b] is there
//
// Launch: blocks of 64 threads that cover the n values.

extern "C" __global__ void running_sums(
    const int* A, volatile int* flags, int* sums, int* C, int n)
{
    __shared__ int part[64], before;

    int t = threadIdx.x, b = blockIdx.x;
    int i = b * 64 + t;
    part[t] = i < n ? A[i] : 0;
    __syncthreads();

    if (t == 0) {
        for (int k = 1; k < 64; ++k)
            part[k] += part[k - 1];

        while (b > 0 && flags[b] == 0) {}
        before = b > 0 ? sums[b] : 0;
        sums[b + 1] = before + part[63];
        flags[b + 1] = 1;
    }
    __syncthreads();

    if (i < n)
        C[i] = before + part[t];
}
