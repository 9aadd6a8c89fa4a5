// Structs with a base class and a union in shared memory, one for each thread.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: none

struct Point {
    float x;
    __device__ Point(float v) : x(v) {}
    __device__ void move(float by) { x += by; }
};

struct Weighted : Point {
    union {
        float weight;
        unsigned bits;
    };
    __device__ Weighted(float v) : Point(v), weight(v) { bits |= 1; }
};

__global__ void move(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    Weighted mine(in[t]);
    mine.move(1);
    s[t] = mine.x + (mine.bits & 1);
    __syncthreads();
    out[t] = s[63 - t];
}
