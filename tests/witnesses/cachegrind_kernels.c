/* The loops of the CPU kernels, for cachegrind: the same elements are read and written in the same order.
 *
 * Sizes are constants and the matrices lie at constant addresses, one after another, each at a multiple of 64 bytes, the first at a multiple
 * of any cache's size; so everything but the matrices is in registers, and sets agree with those of a model that starts at address 0.
 * `volatile` keeps every access, and their order. Only the lines that end in "//!" count. With `-Dvolatile= -O1` they are plain loops: then
 * what the compiler keeps on the stack for want of registers is on the other lines.
 *
 * The last level holds instructions too. In a second call they come from the first level of their own and are no longer in the last one: what
 * counts is two calls less one.
 */
#include <sys/mman.h>

#define UP(bytes) (((bytes) + 63) / 64 * 64)
#define BASE 0x1000000000
#if defined(TRANSPOSE)
#define A ((volatile float *)BASE)
#define C ((volatile float *)(BASE + UP(4l * M * N)))
#define END (UP(4l * M * N) + UP(4l * N * M))
#else
#define A ((volatile float *)BASE)
#define B ((volatile float *)(BASE + UP(4l * M * K)))
#define C ((volatile float *)(BASE + UP(4l * M * K) + UP(4l * K * N)))
#define END (UP(4l * M * K) + UP(4l * K * N) + UP(4l * M * N))
#endif
#define FORGET (4l << 20)
#define MIN(a, b) ((a) < (b) ? (a) : (b))

__attribute__((noinline)) void kernel(void)
{
#if defined(NAIVE)
    for (long i = 0; i < M; i++)
        for (long j = 0; j < N; j++) {
            float total = 0;
            for (long k = 0; k < K; k++) {
                float a = A[i * K + k]; //!
                float b = B[k * N + j]; //!
                total += a * b; //!
            }
            C[i * N + j] = total; //!
        }
#elif defined(ORDER) && (ORDER == 0 || ORDER == 2)
#if ORDER == 0
    for (long i = 0; i < M; i++)
        for (long j = 0; j < N; j++) {
#else
    for (long j = 0; j < N; j++)
        for (long i = 0; i < M; i++) {
#endif
            float total = 0;
            for (long k = 0; k < K; k++) {
                float a = A[i * K + k]; //!
                float b = B[k * N + j]; //!
                total += a * b; //!
            }
            C[i * N + j] = total; //!
        }
#elif defined(ORDER) && ORDER == 3
    for (long j = 0; j < N; j++) {
        for (long i = 0; i < M; i++)
            C[i * N + j] = 0; //!
        for (long k = 0; k < K; k++) {
            float b = B[k * N + j]; //!
            for (long i = 0; i < M; i++) {
                float c = C[i * N + j]; //!
                float a = A[i * K + k]; //!
                C[i * N + j] = c + a * b; //!
            }
        }
    }
#elif defined(ORDER) && ORDER > 3
    for (long i = 0; i < M * N; i++)
        C[i] = 0; //!
    for (long k = 0; k < K; k++)
#if ORDER == 4
        for (long i = 0; i < M; i++) {
            float a = A[i * K + k]; //!
            for (long j = 0; j < N; j++) {
                float c = C[i * N + j]; //!
                float b = B[k * N + j]; //!
                C[i * N + j] = c + a * b; //!
            }
        }
#else
        for (long j = 0; j < N; j++) {
            float b = B[k * N + j]; //!
            for (long i = 0; i < M; i++) {
                float c = C[i * N + j]; //!
                float a = A[i * K + k]; //!
                C[i * N + j] = c + a * b; //!
            }
        }
#endif
#elif defined(ORDER)
    for (long i = 0; i < M; i++) {
        for (long j = 0; j < N; j++)
            C[i * N + j] = 0; //!
        for (long k = 0; k < K; k++) {
            float a = A[i * K + k]; //!
            for (long j = 0; j < N; j++) {
                float c = C[i * N + j]; //!
                float b = B[k * N + j]; //!
                C[i * N + j] = c + a * b; //!
            }
        }
    }
#elif defined(BLOCKED)
    for (long i0 = 0; i0 < M; i0 += TILE)
        for (long j0 = 0; j0 < N; j0 += TILE) {
            for (long i = i0; i < MIN(i0 + TILE, M); i++)
                for (long j = j0; j < MIN(j0 + TILE, N); j++)
                    C[i * N + j] = 0; //!
            for (long k0 = 0; k0 < K; k0 += TILE)
                for (long i = i0; i < MIN(i0 + TILE, M); i++)
                    for (long k = k0; k < MIN(k0 + TILE, K); k++) {
                        float a = A[i * K + k]; //!
                        for (long j = j0; j < MIN(j0 + TILE, N); j++) {
                            float c = C[i * N + j]; //!
                            float b = B[k * N + j]; //!
                            C[i * N + j] = c + a * b; //!
                        }
                    }
        }
#elif defined(TRANSPOSE) && !defined(TILE)
    for (long i = 0; i < M; i++)
        for (long j = 0; j < N; j++) {
            float a = A[i * N + j]; //!
            C[j * M + i] = a; //!
        }
#elif defined(TRANSPOSE)
    for (long i0 = 0; i0 < M; i0 += TILE)
        for (long j0 = 0; j0 < N; j0 += TILE)
            for (long i = i0; i < MIN(i0 + TILE, M); i++)
                for (long j = j0; j < MIN(j0 + TILE, N); j++) {
                    float a = A[i * N + j]; //!
                    C[j * M + i] = a; //!
                }
#endif
}

/* Fills both levels with what nobody asks for again. Writes: cachegrind leaves out a read whose value is not used. */
__attribute__((noinline)) void forget(void)
{
    for (long address = BASE / 2; address < BASE / 2 + FORGET; address += 32)
        *(volatile char *)address = 0;
}

static int have(long start, long bytes)
{
    void *wanted = (void *)start;
    return mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == wanted;
}

int main(void)
{
    if (!have(BASE, END) || !have(BASE / 2, FORGET))
        return 1;
    for (int call = 0; call < CALLS; call++) {
        kernel();
        forget();
    }
    return 0;
}
