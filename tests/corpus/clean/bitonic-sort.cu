// Bitonic sort with a barrier after each exchange.
// launch: grid=1 block=64 args: a=64:random
// finding: none

__global__ void sort(int* a)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int k = 2; k <= 64; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int kept = s[t];
                s[t] = s[other];
                s[other] = kept;
            }
            __syncthreads();
        }
    }
    a[t] = s[t];
}
