#include <cstdio>
#include <cmath>
#include <climits>

enum Colour { RED, GREEN = 5, BLUE };
typedef unsigned long long u64;

u64 gcd(u64 a, u64 b) { return b ? gcd(b, a % b) : a; }

int classify(int x) {
    switch (x) {
        case 0: return 100;
        case 1:
        case 2: x += 10;
        case 3: x *= 2; break;
        default: x = -1;
    }
    return x;
}

int main() {
    int i = INT_MAX;
    unsigned u = 0;
    u--;
    printf("%u %d %d %d\n", u, -7 / 2, -7 % 3, i >> 3);
    printf("%llu %d\n", gcd(1071, 462), BLUE);
    for (int k = -1; k < 5; ++k) printf("%d ", classify(k));
    printf("\n");
    char c = 200;
    short s = 70000;
    printf("%d %d %d\n", c, s, (unsigned char)300);
    int a = 5, b = a++ + ++a;
    a += b <<= 2;
    printf("%d %d %d\n", a, b, a > b ? a ^ b : a | b);
    double x = 7.9, y = -7.9;
    printf("%d %d %.0f %.0f %.0f\n", (int)x, (int)y, floor(y), ceil(y), round(2.5));
    float f = 16777216.0f;
    printf("%.1f %.8f %d\n", f + 1.0f, 0.1f, 0.1f + 0.2f == 0.3f);
    printf("%.6f %.6f %.6f %.3f\n", sin(1.0), exp(0.5), pow(2.0, 0.5), fmod(7.5, 2.0));
    int n = 0;
    do { n += 3; if (n == 9) continue; if (n > 20) break; } while (n < 100);
    printf("%d %d\n", n, (n, 4));
    int grid[3][4] = {{1, 2}, {3}};
    int* p = &grid[0][0];
    printf("%d %d %d %td\n", grid[1][0], p[4], *(*(grid + 1) + 1), &grid[2][1] - p);
    return 0;
}
