#include <chrono>
#include <cstdio>
#include <ctime>
#include <sys/time.h>

double seconds() {
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + t.tv_usec * 1e-6;
}

int main() {
    auto begin = std::chrono::high_resolution_clock::now();
    double from = seconds();
    clock_t ticks = clock();
    volatile double sum = 0;
    for (int i = 1; i < 100000; ++i) sum += 1.0 / i;
    auto end = std::chrono::high_resolution_clock::now();
    std::chrono::duration<double, std::milli> ms = end - begin;
    auto us = std::chrono::duration_cast<std::chrono::microseconds>(end - begin).count();
    double took = seconds() - from;
    printf("%.6f\n", sum);
    printf("%d %d %d %d\n", ms.count() > 0 && ms.count() < 60000, us >= 0 && us < 60000000, took >= 0 && took < 60, clock() >= ticks);
    printf("%d\n", time(NULL) > 1600000000);
}
