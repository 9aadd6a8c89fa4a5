/* A third witness for time: calls a compiled kernel by its address with words of 64 bits, and reads the clock around the calls. */
#include <stdint.h>
#include <time.h>

typedef int32_t (*kernel)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

/* Nanoseconds of `calls` calls together. Of the words, which are 32, a function takes as many as it has arguments: the caller clears up. */
double witness(void *address, const int64_t *w, long calls)
{
    struct timespec begin, end;
    kernel call = (kernel)address;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < calls; i++)
        if (call(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15], w[16], w[17], w[18],
                 w[19], w[20], w[21], w[22], w[23], w[24], w[25], w[26], w[27], w[28], w[29], w[30], w[31]) != 0)
            return -1.0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
}
