#include <cstdio>
#include <cstdlib>
#include <cstring>
typedef struct { int rows, cols; float* data; } Mat;
Mat make(int r, int c) { Mat m; m.rows = r; m.cols = c; m.data = (float*)calloc(r * c, sizeof(float)); return m; }
void set(Mat* m, int i, int j, float v) { m->data[i * m->cols + j] = v; }
float* rows[10];
struct Config { char name[32]; int values[8]; double scale; };
void show(Config c) { printf("%s %d %g\n", c.name, c.values[3], c.scale); }
#define N 16
float table[N][N];
enum { A = 3, B };
void fill(float (*t)[N]) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) t[i][j] = i * j; }
template <typename T> void init(T* p, size_t n, T v) { while (n--) *p++ = v; }
__global__ void k(Mat m, float f) { int i = threadIdx.x; if (i < m.rows * m.cols) m.data[i] = i * f; }
int main() {
  Mat m = make(3, 4); set(&m, 1, 2, 5.5f); printf("%.1f\n", m.data[6]);
  for (int i = 0; i < 10; i++) { rows[i] = (float*)malloc(4 * sizeof(float)); init(rows[i], 4, (float)i); }
  printf("%g\n", rows[7][3]); for (int i = 0; i < 10; i++) free(rows[i]);
  Config c; memset(&c, 0, sizeof c); strcpy(c.name, "config"); c.values[3] = 9; c.scale = 0.25; Config d = c; d.values[3]++; show(c); show(d);
  fill(table); printf("%g\n", table[5][7]);
  float** grid = new float*[3]; for (int i = 0; i < 3; i++) { grid[i] = new float[3]; for (int j = 0; j < 3; j++) grid[i][j] = i + j; } printf("%g\n", grid[2][2]);
  for (int i = 0; i < 3; i++) delete[] grid[i]; delete[] grid;
  Mat dm = m; cudaMalloc((void**)&dm.data, 12 * sizeof(float)); k<<<1, 32>>>(dm, 2.0f); cudaMemcpy(m.data, dm.data, 48, cudaMemcpyDeviceToHost); printf("%g\n", m.data[11]);
  cudaFree(dm.data); free(m.data);
  int x = 5; int& r = x; r += 2; int* px = &x; (*px)++; printf("%d\n", x);
  char line[100]; snprintf(line, sizeof line, "%d-%s", A + B, "x"); puts(line);
  size_t bytes = sizeof(float) * N; printf("%lu %zu\n", bytes, sizeof(Config));
  int n = 3; int* vla = new int[n]; for (int i = 0; i < n; i++) vla[i] = i * i; printf("%d\n", vla[2]); delete[] vla;
  while (true) { if (n++ > 5) break; }
  printf("%d %s\n", n, n == 7 ? "seven" : "other"); 
   
  return 0; }
