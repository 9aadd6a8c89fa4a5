// Two warps each write a bit-field of their own: both lie in one word, which each reads and writes whole.
// launch: grid=1 block=64 args: out=1:zeros
// finding: data-race 13 16
struct Flags {
    unsigned ready : 8;
    unsigned count : 24;
};

extern "C" __global__ void bit_fields_of_one_word(unsigned* out)
{
    Flags* flags = (Flags*)out;
    if (threadIdx.x == 0) {
        flags->ready = 1;
    }
    if (threadIdx.x == 32) {
        flags->count = 7;
    }
}
