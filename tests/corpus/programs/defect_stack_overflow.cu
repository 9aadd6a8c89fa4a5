// status: 139
// finds: out-of-bounds 7
#include <cstdio>

int sum(const int* p, int n) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += p[i];
    return s;
}

int main() {
    int a[5] = {1, 2, 3, 4, 5};
    printf("%d\n", sum(a, 5));
    printf("%d\n", sum(a, 15));
}
