// A class that owns its memory, with all that the rule of three asks for, and arrays of objects.
#include <cstdio>

class Matrix {
    int rows, columns;
    float *values;

public:
    Matrix(int r, int c) : rows(r), columns(c), values(new float[r * c]) {
        for (int i = 0; i < r * c; ++i) values[i] = i;
    }
    Matrix(const Matrix &other) : rows(other.rows), columns(other.columns), values(new float[other.rows * other.columns]) {
        for (int i = 0; i < rows * columns; ++i) values[i] = other.values[i];
    }
    Matrix &operator=(const Matrix &other) {
        if (this != &other) {
            delete[] values;
            rows = other.rows;
            columns = other.columns;
            values = new float[rows * columns];
            for (int i = 0; i < rows * columns; ++i) values[i] = other.values[i];
        }
        return *this;
    }
    ~Matrix() { delete[] values; }
    float &operator()(int i, int j) { return values[i * columns + j]; }
    float sum() const {
        float total = 0;
        for (int i = 0; i < rows * columns; ++i) total += values[i];
        return total;
    }
};

struct Point {
    int x = 3, y = 4;
    Point() {}
    Point(int a, int b) : x(a), y(b) {}
    ~Point() { printf("(%d %d) ", x, y); }
};

Matrix identity(int n) {
    Matrix made(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) made(i, j) = i == j;
    return made;
}

float changed(Matrix copy) {
    copy(0, 0) = 1000;
    return copy.sum();
}

int main() {
    Matrix a(2, 3), b = a;
    b(1, 2) = 50;
    printf("%g %g\n", a.sum(), b.sum());
    Matrix c = identity(3);
    a = c;
    printf("%g %g %g %g\n", c.sum(), a.sum(), changed(a), a.sum());
    Point *points = new Point[3];
    points[1].x = 7;
    delete[] points;
    Point *one = new Point(8, 9);
    delete one;
    printf("\n%g\n", identity(5).sum());
}
