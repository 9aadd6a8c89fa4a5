#include <iostream>
#include <iomanip>
using namespace std;

__global__ void halves(double* p) { p[threadIdx.x] = threadIdx.x / 2.0; }

int main() {
    double h[8], *d;
    cudaMalloc(&d, sizeof h);
    halves<<<1, 8>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cout << "halves:";
    for (int i = 0; i < 8; i++) cout << ' ' << h[i];
    cout << endl << 1.0 / 3 << " " << 1e10 << " " << 123456789.0 << " " << 0.0001f << " " << 100000000u << '\n';
    cout << fixed << setprecision(2) << 3.14159 << " " << 2.5f << " " << setw(8) << 1.5 << "|" << left << setw(6) << 42 << "|" << endl;
    cout << boolalpha << true << " " << (h[3] > 2) << " " << hex << 255 << dec << " " << -7L << " " << 'x' << endl;
    cerr << "this goes elsewhere" << endl;
    cout << scientific << 12345.678 << endl;
    cudaFree(d);
    return 0;
}
