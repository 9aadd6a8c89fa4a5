// status: 139
// finds: stack-overflow 5
#include <cstdio>

int main() {
    float h[1 << 22] = {0};
    h[7] = 1;
    printf("%f\n", h[7]);
}
