#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256;
    int rounds = argc > 2 ? atoi(argv[2]) : 12;
    float* now = (float*)malloc(n * sizeof(float));
    float* next = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i)
        now[i] = i % 16 == 0 ? 16 : 0;

    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < n; ++i) {
            float left = i > 0 ? now[i - 1] : now[i];
            float right = i + 1 < n ? now[i + 1] : now[i];
            next[i] = 0.25f * left + 0.5f * now[i] + 0.25f * right;
        }
        float* swapped = now;
        now = next;
        next = swapped;
    }
    int half = n / 2;
    printf("x[0] = %.4f, x[%d] = %.4f\n", now[0], half, now[half]);
    free(now);
    free(next);
    return 0;
}
