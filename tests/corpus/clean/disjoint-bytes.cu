// Neighbouring bytes of one word are written by different threads.
// launch: grid=1 block=64 args: out=64
// finding: none

__global__ void bytes(unsigned char* out)
{
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = (unsigned char)(3 * t);
    __syncthreads();
    out[t] = s[63 - t];
}
