// Arrays of structs, read and written member by member.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: none

struct Particle {
    float x, y;
    int id;
    float weight;
};

__device__ Particle moved(Particle p, float by)
{
    p.x += by;
    p.y -= by;
    return p;
}

__global__ void move(const int* in, Particle* out)
{
    Particle p = {1.0f, 2.0f, in[threadIdx.x], 0.5f};
    p = moved(p, p.weight * p.id);
    out[threadIdx.x] = p;
    out[threadIdx.x].weight += p.x;
}
