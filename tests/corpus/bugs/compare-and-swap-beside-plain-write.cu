// Threads claim a slot by compare-and-swap, and one gives it up meanwhile without one.
// launch: grid=1 block=64 args: slot=1:zeros out=64
// finding: data-race 12 13

__global__ void claim(int* slot, int* out)
{
    int t = threadIdx.x;
    int old = *slot, seen;
    seen = old;
    for (int tries = 0; tries < 3; ++tries) {
        seen = old;
        old = atomicCAS(slot, seen, t + 1);
        if (t == 40) *slot = -1;
    }
    out[t] = old;
}
