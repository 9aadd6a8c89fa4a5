// The last words lie past the end and at no multiple of their size: both are said.
// launch: grid=1 block=4 args: bytes=64:zeros
// finding: misaligned-access 8
// finding: out-of-bounds 8

__global__ void store(char* bytes)
{
    *(int*)(bytes + 61 + 4 * threadIdx.x) = 1;
}
