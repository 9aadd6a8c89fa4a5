#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    double sum = 0;
    float last = 0;
    for (int i = 0; i < n; ++i) {
        last = 2.0f * i + 1;
        sum += last;
    }
    printf("y[%d] = %g, sum %.0f\n", n - 1, last, sum);
    return 0;
}
