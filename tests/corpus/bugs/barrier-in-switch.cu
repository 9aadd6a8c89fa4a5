// A barrier in one case of a switch.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: barrier-divergence 13

__global__ void cases(const int* in, int* out)
{
    int v = in[threadIdx.x];
    switch (v & 3) {
    case 0:
        v += 10;
        break;
    case 1:
        __syncthreads();
        v += 20;
        break;
    default:
        v += 30;
    }
    out[threadIdx.x] = v;
}
