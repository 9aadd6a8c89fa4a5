// finds: leak 10, leak 11, leak 12
#include <stdio.h>
#include <stdlib.h>

__global__ void nothing(int *p) { }

int main()
{
    int *d;
    float *h = (float *)malloc(1000);
    cudaMalloc(&d, 4096);
    char *name = new char[16];
    nothing<<<1, 1>>>(d);
    h[0] = 0;
    name[0] = 'x';
    printf("done\n");
    return 0;
}
