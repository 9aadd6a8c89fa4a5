// Two arrays are carved out of one piece of dynamic shared memory.
// launch: grid=1 block=32 shared=384 args: in=32:arange out=32
// finding: none

__global__ void carve(const float* in, double* out)
{
    extern __shared__ char raw[];
    double* wide = reinterpret_cast<double*>(raw);
    float* narrow = reinterpret_cast<float*>(wide + blockDim.x);
    int t = threadIdx.x;
    wide[t] = in[t];
    narrow[t] = 2.0f * in[t];
    __syncthreads();
    out[t] = wide[31 - t] + narrow[t ^ 1];
}
