// status: 136
// finds: division-by-zero 9
#include <cstdio>

int average(const int* p, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += p[i];
    printf("sum %d\n", sum);
    return sum / n;
}

int main() {
    int a[3] = {1, 2, 3};
    printf("%d\n", average(a, 3));
    printf("%d\n", average(a, 0));
}
