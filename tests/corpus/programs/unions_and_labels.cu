// Bits of numbers through a union, members without a name, base classes, and the goto of C's error handling.
#include <cstdio>
#include <cstdlib>

union Bits {
    float number;
    unsigned bits;
    unsigned char bytes[4];
};

struct Vector {
    union {
        struct {
            float x, y, z;
        };
        float at[3];
    };
};

struct Figure {
    int id;
    explicit Figure(int i) : id(i) {}
    int number() const { return id; }
};
struct Circle : public Figure {
    float radius;
    Circle(int i, float r) : Figure(i), radius(r) {}
    float area() const { return 3 * radius * radius + id; }
};
int of(const Figure &figure) { return figure.number(); }

int work(int n) {
    int status = 1;
    int *first = nullptr, *second = nullptr;
    first = (int *)malloc(n * sizeof(int));
    if (!first) goto out;
    if (n > 100) goto out;
    second = (int *)calloc(n, sizeof(int));
    status = second[n - 1];
out:
    free(second);
    free(first);
    return status;
}

int main() {
    Bits b;
    b.number = -1.5f;
    printf("%x %d %d\n", b.bits, b.bytes[3], b.bytes[0]);
    b.bits = 0x40490fdb;
    printf("%.6f\n", b.number);
    Vector v;
    v.at[0] = 1;
    v.at[1] = 2;
    v.z = 3;
    printf("%g %g %g\n", v.x, v.y, v.at[2]);
    Circle c(7, 2);
    printf("%d %g %d\n", c.number(), c.area(), of(c));
    printf("%d %d\n", work(10), work(1000));
}
