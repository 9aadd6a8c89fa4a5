// A struct that a kernel is given by value has members of the host's alone: no kernel reads them.
#include <cstdio>

struct Settings {
    int count;
    const char* name;
    int* kept;
};

__global__ void write(Settings settings, int* out)
{
    if (threadIdx.x < settings.count) out[threadIdx.x] = settings.count;
}

int main()
{
    int kept[4] = {}, *out;
    cudaMalloc(&out, sizeof kept);
    write<<<1, 4>>>(Settings{4, "writing", kept}, out);
    cudaMemcpy(kept, out, sizeof kept, cudaMemcpyDeviceToHost);
    printf("%d\n", kept[3]);
    cudaFree(out);
    return 0;
}
