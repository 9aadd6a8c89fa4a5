// Two warps each write a bit-field of their own, in words of their own: one of width 0 stands between them.
// launch: grid=1 block=64 args: out=2:zeros
// finding: none
struct Flags {
    unsigned ready : 8;
    unsigned : 0;
    unsigned count : 24;
};

extern "C" __global__ void bit_fields_of_two_words(unsigned* out)
{
    __shared__ Flags first;
    Flags* flags = (Flags*)out;
    if (threadIdx.x == 0) {
        flags->ready = 1;
        first.ready = 5;
        first.ready++;
    }
    if (threadIdx.x == 32) {
        flags->count = 7;
        first.count = 3;
    }
    __syncthreads();
    if (threadIdx.x == 63 && first.ready + first.count == 9)
        flags->count *= 2;
}
