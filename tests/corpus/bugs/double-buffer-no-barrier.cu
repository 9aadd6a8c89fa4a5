// Double buffering whose only barrier has been forgotten.
// launch: grid=1 block=32 args: in=128:arange out=32
// finding: data-race 14 15

__global__ void pipeline(const float* in, float* out)
{
    __shared__ float buffer[2][32];
    int t = threadIdx.x;
    float sum = 0.0f;
    buffer[0][t] = in[t];
    __syncthreads();
    for (int step = 0; step < 4; ++step) {
        if (step + 1 < 4)
            buffer[(step + 1) % 2][t] = in[(step + 1) * 32 + t];
        sum += buffer[step % 2][31 - t];
    }
    out[t] = sum;
}
