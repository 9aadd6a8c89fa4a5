// No transposition: a copy. It moves as many bytes, and turns
// nothing. What it reaches is the 100 % line of transpositions.
//
//   C = A, element by element as they lie in memory. C is to
//   hold the elements of A in the order of A.
//
//        A                    C
//     a b c d              a b c d
//     e f g h      ->      e f g h
//     i j k l              i j k l
//
// A transposition reads every element once and writes it once.
// So does a copy, along straight lines: every sector is whole,
// no thread waits for another, there is no shared memory and no
// barrier. No transposition can be expected to be faster; what
// one is slower by is what the turn costs.
//
// Four float4 a thread: 64 bytes are on their way before the
// first is written. The lanes of a warp lie side by side in each
// of the four, so that each moves 512 bytes in a row.
//
//     thread   0  1  2 ... 255   0  1  2 ... 255   0  1 ...
//     float4   0  1  2 ... 255 256 ...
//
// What limits it: global memory and nothing else. The number of
// bytes read and written, over the time, is the bandwidth that
// programs can reach; the data sheet promises a little more.
//
// Launch: a row of blocks of 256 threads, each for 4096 elements.

#define THREADS 256
#define QUADS 4
#define FLOAT4(x) (*(float4*)&(x))

extern "C" __global__ void transpose_copy(
    const float* A, float* C, int M, int N)
{
    // long long: a large matrix has more elements than 32 bits
    // can count.
    long long count = (long long)M * N;
    long long block = (long long)blockIdx.x * THREADS * QUADS * 4;
    long long first = block + threadIdx.x * 4;

    float4 v[QUADS];
    #pragma unroll
    for (int i = 0; i < QUADS; ++i) {
        long long at = first + i * THREADS * 4;
        if (at + 4 <= count)
            v[i] = FLOAT4(A[at]);
    }

    #pragma unroll
    for (int i = 0; i < QUADS; ++i) {
        long long at = first + i * THREADS * 4;
        if (at + 4 <= count)
            FLOAT4(C[at]) = v[i];
    }

    // Fewer than four elements are left at the end.
    long long rest = count / 4 * 4 + threadIdx.x;
    if (blockIdx.x == gridDim.x - 1 && rest < count)
        C[rest] = A[rest];
}
