// A sum of doubles and a maximum of floats by compare-and-swap, begun with plain reads: what these see, the atomic compares.
// launch: grid=2 block=64 args: in=128:arange sum=1:zeros most=1:zeros
// finding: none

__device__ double add(double* address, double value)
{
    unsigned long long* bits = (unsigned long long*)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void total(const double* in, double* sum, float* most)
{
    __shared__ int largest;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    int seen, now;
    do {
        seen = largest;
        now = max(seen, __float_as_int((float)in[i]));
    } while (atomicCAS(&largest, seen, now) != seen);
    add(sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax((int*)most, largest);
}
