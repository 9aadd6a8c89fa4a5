// finds: kernel 5, leak 11, never-copied-back 17
// A surface is written beyond its border, which a trap lets nobody do: the launch fails.
#include <cstdio>

__global__ void fill(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4 * (int)threadIdx.x, 0); }

int main() {
    float row[8];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 8, 1, cudaArraySurfaceLoadStore);
    cudaResourceDesc of = {};
    of.resType = cudaResourceTypeArray;
    of.res.array.array = array;
    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &of);
    fill<<<1, 9>>>(s);
    printf("%s\n", cudaGetErrorString(cudaMemcpy2DFromArray(row, 32, array, 0, 0, 32, 1, cudaMemcpyDeviceToHost)));
    cudaDestroySurfaceObject(s);
    cudaFreeArray(array);
}
