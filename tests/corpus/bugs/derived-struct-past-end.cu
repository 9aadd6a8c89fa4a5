// The struct has a base class: the last thread's member lies past the end.
// launch: grid=1 block=32 args: cells=31 out=32
// finding: out-of-bounds 15

struct Point {
    float x, y;
};

struct Cell : Point {
    int count;
};

__global__ void count(Cell* cells, int* out)
{
    cells[threadIdx.x].count = threadIdx.x;
    out[threadIdx.x] = sizeof(Cell);
}
