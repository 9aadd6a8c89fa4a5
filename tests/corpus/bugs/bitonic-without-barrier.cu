// Bitonic sort whose barrier stands outside of the inner loop.
// launch: grid=1 block=64 args: a=64:random
// finding: data-race 18 20
// finding: data-race 18 21
// finding: data-race 20 21
// finding: data-race 21 21

__global__ void sort(int* a)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int k = 2; k <= 64; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t) {
                int x = s[t], y = s[other];
                bool up = (t & k) == 0;
                s[t] = up ? min(x, y) : max(x, y);
                s[other] = up ? max(x, y) : min(x, y);
            }
        }
        __syncthreads();
    }
    a[t] = s[t];
}
