// A sparse matrix in rows times a vector: a thread a row.
#include <cstdio>
#include <vector>

struct Sparse {
    int rows;
    std::vector<int> starts, columns;
    std::vector<double> values;
};

Sparse laplace(int n) {
    Sparse made;
    made.rows = n;
    made.starts.push_back(0);
    for (int i = 0; i < n; ++i) {
        for (int j = i - 1; j <= i + 1; ++j) {
            if (j < 0 || j >= n) continue;
            made.columns.push_back(j);
            made.values.push_back(i == j ? 2 : -1);
        }
        made.starts.push_back((int)made.columns.size());
    }
    return made;
}

__global__ void multiply(int rows, const int *starts, const int *columns, const double *values, const double *x, double *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}

template <class T> T *on_device(const std::vector<T> &host) {
    T *device;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main() {
    const Sparse matrix = laplace(70);
    std::vector<double> x(matrix.rows), y(matrix.rows);
    for (int i = 0; i < matrix.rows; ++i) x[i] = i * i;
    int *starts = on_device(matrix.starts), *columns = on_device(matrix.columns), rows = matrix.rows;
    double *values = on_device(matrix.values), *dx = on_device(x), *dy = on_device(y);
    multiply<<<3, 32>>>(rows, starts, columns, values, dx, dy);
    cudaMemcpy(y.data(), dy, y.size() * sizeof(double), cudaMemcpyDeviceToHost);
    printf("%zu values; %g %g %g\n", matrix.values.size(), y[0], y[35], y[69]);
    for (void *each : {(void *)starts, (void *)columns, (void *)values, (void *)dx, (void *)dy}) cudaFree(each);
}
