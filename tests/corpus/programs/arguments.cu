// arguments: 12 2.5 hello -7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void square(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= p[threadIdx.x]; }

int main(int argc, char **argv)
{
    printf("%d arguments\n", argc - 1);
    if (argc < 5) {
        fprintf(stderr, "usage: %s n factor word number\n", argv[0]);
        return 2;
    }
    int n = atoi(argv[1]);
    double factor = atof(argv[2]);
    char *end;
    long number = strtol(argv[4], &end, 10);
    printf("n=%d factor=%.3f word=%s (%zu) number=%ld rest='%s'\n", n, factor, argv[3], strlen(argv[3]), number, end);
    if (strcmp(argv[3], "hello") == 0)
        printf("%c%c\n", argv[3][0] - 32, argv[3][4]);
    int *h = (int *)malloc(n * sizeof(int)), *d;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    square<<<1, 32>>>(d, n);
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) printf("%d%c", h[i], i + 1 < n ? ' ' : '\n');
    cudaFree(d);
    free(h);
    return argv[argc] == NULL ? 0 : 3;
}
