// Shortest paths by relaxing edges, held against a priority queue; queues, stacks, bit sets, lists, an enum of flags.
#include <bitset>
#include <complex>
#include <climits>
#include <cstdint>
#include <functional>
#include <deque>
#include <iostream>
#include <limits>
#include <list>
#include <queue>
#include <stack>
#include <string>
#include <vector>
#include <cuda_runtime.h>
enum Flags : std::uint8_t { None = 0, Visited = 1 << 0, Frontier = 1 << 1 };
inline Flags operator|(Flags a, Flags b) { return static_cast<Flags>(static_cast<int>(a) | static_cast<int>(b)); }
struct Edge { int to; int weight; };
using Graph = std::vector<std::vector<Edge>>;
__global__ void relax(const int* from, const int* to, const int* w, int m, const int* dist, int* next, int* changed) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    int d = dist[from[e]];
    if (d == INT_MAX) return;
    if (atomicMin(&next[to[e]], d + w[e]) > d + w[e]) atomicAdd(changed, 1);
}
static std::vector<int> dijkstra(const Graph& g, int s) {
    std::vector<int> dist(g.size(), std::numeric_limits<int>::max());
    using Item = std::pair<int, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> q;
    dist[s] = 0;
    q.emplace(0, s);
    while (!q.empty()) {
        auto [d, u] = q.top();
        q.pop();
        if (d > dist[u]) continue;
        for (const auto& [v, w] : g[u])
            if (dist[u] + w < dist[v]) { dist[v] = dist[u] + w; q.push({dist[v], v}); }
    }
    return dist;
}
int main() {
    const int n = 60;
    Graph g(n);
    unsigned seed = 12345u;
    auto next = [&seed] { seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5; return seed; };
    for (int u = 0; u < n; ++u) for (int k = 0; k < 3; ++k) g[u].push_back(Edge{int(next() % n), int(next() % 20) + 1});
    std::vector<int> from, to, w;
    for (std::size_t u = 0; u < g.size(); ++u) for (auto& e : g[u]) { from.push_back(u); to.push_back(e.to); w.push_back(e.weight); }
    int *df, *dt, *dw, *dd, *dn, *dc; const int m = static_cast<int>(from.size());
    cudaMalloc(&df, m * 4); cudaMalloc(&dt, m * 4); cudaMalloc(&dw, m * 4); cudaMalloc(&dd, n * 4); cudaMalloc(&dn, n * 4); cudaMalloc(&dc, 4);
    cudaMemcpy(df, from.data(), m * 4, cudaMemcpyHostToDevice); cudaMemcpy(dt, to.data(), m * 4, cudaMemcpyHostToDevice); cudaMemcpy(dw, w.data(), m * 4, cudaMemcpyHostToDevice);
    std::vector<int> dist(n, INT_MAX);
    dist[0] = 0;
    cudaMemcpy(dd, dist.data(), n * 4, cudaMemcpyHostToDevice);
    int rounds = 0, changed;
    do {
        changed = 0;
        cudaMemcpy(dc, &changed, 4, cudaMemcpyHostToDevice);
        cudaMemcpy(dn, dd, n * 4, cudaMemcpyDeviceToDevice);
        relax<<<(m + 63) / 64, 64>>>(df, dt, dw, m, dd, dn, dc);
        std::swap(dd, dn);
        cudaMemcpy(&changed, dc, 4, cudaMemcpyDeviceToHost);
        ++rounds;
    } while (changed && rounds < n);
    cudaMemcpy(dist.data(), dd, n * 4, cudaMemcpyDeviceToHost);
    std::cout << (dist == dijkstra(g, 0) ? "equal" : "DIFFERENT") << (rounds <= n ? "" : " too many") << '\n';
    std::queue<int> bfs; std::bitset<64> seen; std::vector<Flags> flags(n, None);
    bfs.push(0); seen.set(0);
    int reached = 0;
    while (bfs.size()) { int u = bfs.front(); bfs.pop(); ++reached; flags[u] = Visited | Frontier; for (auto e : g[u]) if (!seen.test(e.to)) { seen[e.to] = true; bfs.push(e.to); } }
    std::cout << reached << ' ' << seen.count() << ' ' << int(flags[0]) << ' ' << std::bitset<8>(0xa5) << '\n';
    std::stack<int> st; for (int i = 0; i < 5; ++i) st.push(i * i);
    while (!st.empty()) { std::cout << st.top() << ' '; st.pop(); }
    std::list<std::string> words{"delta", "alpha", "charlie"}; words.push_front("bravo"); words.sort();
    for (const auto& s : words) std::cout << s << ' ';
    std::deque<double> dq; dq.push_back(1.5); dq.push_front(0.5); std::cout << dq.front() + dq.back() << '\n';
    std::complex<double> z(1, 2); z *= std::complex<double>(0, 1); std::cout << z << ' ' << std::abs(std::complex<float>(3, 4)) << ' ' << std::norm(z) << '\n';
    for (auto p : {df, dt, dw, dd, dn, dc}) cudaFree(p);
}
