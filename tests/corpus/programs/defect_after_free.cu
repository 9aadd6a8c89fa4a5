// status: 139
// finds: use-after-free 12
#include <cstdio>
#include <cstdlib>

int main() {
    double* p = (double*)malloc(100 * sizeof(double));
    p[7] = 1.25;
    double* q = p + 7;
    printf("%.2f\n", *q);
    free(p);
    printf("%.2f\n", *q);
    return 0;
}
