// Readers count themselves in, but no fence follows.
// launch: grid=4 block=1 args: lock=1:zeros value=1:zeros out=4
// finding: data-race 10 18

__global__ void share(int* lock, int* value, int* out)
{
    if (blockIdx.x % 2 == 0) {
        while (atomicCAS(lock, 0, -1) != 0) {}
        __threadfence();
        *value += 10;
        __threadfence();
        atomicExch(lock, 0);
        out[blockIdx.x] = 0;
    } else {
        int readers = 0, seen;
        while ((seen = atomicCAS(lock, readers, readers + 1)) != readers)
            readers = seen < 0 ? 0 : seen;
        out[blockIdx.x] = *value;
        __threadfence();
        atomicSub(lock, 1);
    }
}
