// finds: read-before-written 9
#include <stdio.h>
#include <stdlib.h>

int main() {
    int n = 1000;
    float *values = (float *)malloc(n * sizeof(float));
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    printf(sum == 0 ? "done\n" : "done \n");
    free(values);
    return 0;
}
