#include <stdio.h>

int main()
{
    int count = 0;
    cudaGetDeviceCount(&count);
    for (int i = 0; i < count; i++) {
        cudaDeviceProp prop;
        cudaGetDeviceProperties(&prop, i);
        printf("warp %d, %d threads a block, %d x %d x %d, %zu KiB shared\n", prop.warpSize, prop.maxThreadsPerBlock,
               prop.maxThreadsDim[0], prop.maxThreadsDim[1], prop.maxThreadsDim[2], prop.sharedMemPerBlock / 1024);
        printf("%s\n", prop.major >= 7 && prop.multiProcessorCount > 0 && prop.name[0] ? "a GPU of our days" : "something else");
        int device = -1;
        cudaGetDevice(&device);
        printf("%d of %d\n", device, count);
    }
    return cudaGetDeviceProperties(0, 5) == cudaErrorInvalidValue ? 0 : 1;
}
