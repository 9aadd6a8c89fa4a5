// Two matrices from a text file, as C reads it: fopen, fscanf, rewind, feof.
#include <cstdio>
#include <cstdlib>

__global__ void multiply(const float* A, const float* B, float* C, int m, int k, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) sum += A[row * k + i] * B[i * n + col];
    C[row * n + col] = sum;
}

static float* readMatrix(FILE* file, int* rows, int* cols) {
    if (fscanf(file, "%d x %d", rows, cols) != 2) return NULL;
    float* values = (float*)malloc(*rows * *cols * sizeof(float));
    for (int i = 0; i < *rows * *cols; ++i) {
        if (fscanf(file, "%f", &values[i]) != 1) { free(values); return NULL; }
    }
    return values;
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "file_matrix.txt";
    FILE* file = fopen(name, "r");
    if (file == NULL) { printf("cannot open %s\n", name); return EXIT_FAILURE; }
    int lines = 0, c;
    while ((c = fgetc(file)) != EOF) lines += c == '\n';
    printf("%d lines, %ld bytes, end met: %d\n", lines, ftell(file), feof(file) != 0);
    rewind(file);
    printf("end met: %d\n", feof(file) != 0);

    int m, k, k2, n;
    float* A = readMatrix(file, &m, &k);
    float* B = readMatrix(file, &k2, &n);
    int more;
    int found = fscanf(file, "%d", &more);
    printf("%dx%d times %dx%d, then %d\n", m, k, k2, n, found);
    fclose(file);
    if (A == NULL || B == NULL || k != k2) return EXIT_FAILURE;

    float *dA, *dB, *dC, *C = (float*)malloc(m * n * sizeof(float));
    cudaMalloc(&dA, m * k * sizeof(float));
    cudaMalloc(&dB, k * n * sizeof(float));
    cudaMalloc(&dC, m * n * sizeof(float));
    cudaMemcpy(dA, A, m * k * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dB, B, k * n * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(4, 4), grid((n + 3) / 4, (m + 3) / 4);
    multiply<<<grid, block>>>(dA, dB, dC, m, k, n);
    cudaMemcpy(C, dC, m * n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < m; ++row) {
        for (int col = 0; col < n; ++col) printf("%8.2f", C[row * n + col]);
        printf("\n");
    }
    cudaFree(dA); cudaFree(dB); cudaFree(dC);
    free(A); free(B); free(C);
    return 0;
}
