// Places by a vote: the number of lanes below that keep their value.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: none

__global__ void compact(const int* in, int* out)
{
    int v = in[threadIdx.x];
    unsigned kept = __ballot_sync(0xffffffffu, v % 3 == 0);
    if (v % 3 == 0)
        out[__popc(kept & ((1u << threadIdx.x) - 1u))] = v;
}
