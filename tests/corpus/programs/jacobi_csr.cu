// A linear solver: a sparse matrix from a text, Jacobi iteration, buffers that are moved and swapped, exceptions of its own.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
#include <set>
#include <unordered_map>
#include <stdexcept>
#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess) {                                                              \
            std::ostringstream os_;                                                                \
            os_ << __FILE__ << ":" << __LINE__ << ": " << #call << ": " << cudaGetErrorString(status_); \
            throw CudaError(os_.str(), status_);                                                   \
        }                                                                                          \
    } while (false)
class CudaError : public std::runtime_error {
public:
    CudaError(const std::string &what, cudaError_t code) : std::runtime_error(what), code_(code) {}
    cudaError_t code() const noexcept { return code_; }
private:
    cudaError_t code_;
};
template <typename T> class DeviceVector {
public:
    DeviceVector() = default;
    explicit DeviceVector(std::size_t n) : size_(n) { CUDA_TRY(cudaMalloc(reinterpret_cast<void **>(&ptr_), n * sizeof(T))); }
    DeviceVector(const std::vector<T> &host) : DeviceVector(host.size()) { CUDA_TRY(cudaMemcpy(ptr_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice)); }
    DeviceVector(DeviceVector &&o) noexcept { std::swap(ptr_, o.ptr_); std::swap(size_, o.size_); }
    DeviceVector &operator=(DeviceVector &&o) noexcept { std::swap(ptr_, o.ptr_); std::swap(size_, o.size_); return *this; }
    ~DeviceVector() { if (ptr_) cudaFree(ptr_); }
    T *get() noexcept { return ptr_; }
    const T *get() const noexcept { return ptr_; }
    std::size_t size() const { return size_; }
    std::vector<T> toHost() const { std::vector<T> h(size_); CUDA_TRY(cudaMemcpy(h.data(), ptr_, size_ * sizeof(T), cudaMemcpyDeviceToHost)); return h; }
private:
    T *ptr_ = nullptr; std::size_t size_ = 0;
};
typedef double real;
struct Csr { std::vector<int> rowPtr{0}, col; std::vector<real> val; int rows() const { return int(rowPtr.size()) - 1; } };
static Csr parse(const std::string &text)
{
    Csr m; std::istringstream in(text); std::string line;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream ls(line); std::string entry;
        while (ls >> entry) {
            auto colon = entry.find(':');
            if (colon == std::string::npos) throw std::invalid_argument("bad entry '" + entry + "'");
            m.col.push_back(std::stoi(entry.substr(0, colon))); m.val.push_back(std::stod(entry.substr(colon + 1)));
        }
        m.rowPtr.push_back(static_cast<int>(m.col.size()));
    }
    return m;
}
__global__ void jacobi(int n, const int *rp, const int *ci, const real *v, const real *b, const real *x, real *y, real *res)
{
    int r = blockDim.x * blockIdx.x + threadIdx.x;
    real local = 0;
    if (r < n) {
        real s = b[r], diag = 1;
        for (int k = rp[r]; k < rp[r + 1]; ++k) if (ci[k] == r) diag = v[k]; else s -= v[k] * x[ci[k]];
        y[r] = s / diag; local = fabs(y[r] - x[r]);
    }
    __shared__ real m[64];
    m[threadIdx.x] = local; __syncthreads();
    for (int s = blockDim.x / 2; s; s /= 2) { if (threadIdx.x < s) m[threadIdx.x] = fmax(m[threadIdx.x], m[threadIdx.x + s]); __syncthreads(); }
    if (!threadIdx.x) *res = m[0];
}
int main() try {
    std::ostringstream t; const int n = 20;
    t << "# tridiagonal\n";
    for (int i = 0; i < n; ++i) { if (i) t << i - 1 << ":-1 "; t << i << ":" << 2.5; if (i + 1 < n) t << ' ' << i + 1 << ":-1"; t << "\n"; }
    Csr m = parse(t.str());
    std::cout << m.rows() << " rows, " << m.val.size() << " entries\n";
    DeviceVector<int> rp(m.rowPtr), ci(m.col); DeviceVector<real> v(m.val), b(std::vector<real>(n, 1.0)), x(std::vector<real>(n, 0.0)), y(n), res(1);
    int it = 0; real r = 1;
    for (; it < 200 && r > 1e-8; ++it) {
        jacobi<<<1, 64>>>(n, rp.get(), ci.get(), v.get(), b.get(), x.get(), y.get(), res.get());
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpy(&r, res.get(), sizeof r, cudaMemcpyDeviceToHost));
        std::swap(x, y);
    }
    auto sol = x.toHost();
    std::cout << "iterations " << it << ", x[0] = " << sol[0] << ", x[mid] = " << sol[n / 2] << std::endl;
    std::unordered_map<std::string, int> words; std::set<int> cols(m.col.begin(), m.col.end());
    for (const char *w : {"a", "b", "a"}) ++words[w];
    std::cout << words["a"] << words.count("c") << ' ' << cols.size() << ' ' << *cols.rbegin() << '\n';
    try { parse("1:2 x"); } catch (const std::invalid_argument &e) { std::cout << e.what() << '\n'; }
    return 0;
} catch (const CudaError &e) {
    std::cerr << "failed: " << e.what() << '\n';
    return static_cast<int>(e.code());
}
