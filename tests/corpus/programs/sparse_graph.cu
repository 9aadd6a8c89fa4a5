// finds: data-race 22, data-race 23
// Shortest ways in a graph: adjacency lists on the host, Bellman-Ford on the device, checked by a queue of priorities.
#include <climits>
#include <cstdio>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <vector>
#include "check.h"

struct Edge {
    int to, weight;
};
using Graph = std::vector<std::vector<Edge>>;
typedef std::pair<int, int> Entry;

__global__ void relax(const int *from, const int *to, const int *weight, int edges, int *distance, int *changed) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges || distance[from[e]] == INT_MAX) return;
    int found = distance[from[e]] + weight[e];
    if (found < atomicMin(&distance[to[e]], found)) *changed = 1;
}

static Graph make(int n) {
    Graph g(n);
    for (int i = 0; i < n; ++i) {
        g[i].push_back({(i + 1) % n, 7});
        g[i].push_back({(i * 5 + 3) % n, 11 + i % 3});
        if (i % 4 == 0) g[i].emplace_back(Edge{(i + 9) % n, 20});
    }
    return g;
}

static std::vector<int> dijkstra(const Graph &g, int source) {
    std::vector<int> best(g.size(), INT_MAX);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
    best[source] = 0;
    open.push({0, source});
    while (!open.empty()) {
        auto [d, u] = open.top();
        open.pop();
        if (d > best[u]) continue;
        for (const Edge &e : g[u])
            if (d + e.weight < best[e.to]) {
                best[e.to] = d + e.weight;
                open.emplace(best[e.to], e.to);
            }
    }
    return best;
}

template <typename T> T *upload(const std::vector<T> &v) {
    T *d = nullptr;
    CHECK(cudaMalloc(&d, v.size() * sizeof(T)));
    CHECK(cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}

int main() {
    const int n = 60;
    Graph g = make(n);
    std::vector<int> from, to, weight;
    for (size_t u = 0; u < g.size(); ++u)
        for (auto e : g[u]) {
            from.push_back(int(u));
            to.push_back(e.to);
            weight.push_back(e.weight);
        }
    std::vector<int> distance(n, INT_MAX);
    distance[0] = 0;
    int *f = upload(from), *t = upload(to), *w = upload(weight), *d = upload(distance), *changed, again = 1, rounds = 0;
    CHECK(cudaMallocManaged(&changed, sizeof(int)));
    while (again) {
        *changed = 0;
        relax<<<((int)from.size() + 63) / 64, 64>>>(f, t, w, (int)from.size(), d, changed);
        CHECK(cudaDeviceSynchronize());
        again = *changed;
        ++rounds;
        if (rounds > n) break;
    }
    CHECK(cudaMemcpy(distance.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> check = dijkstra(g, 0);
    printf("%s %s\n", check == distance ? "equal" : "different", rounds > 1 && rounds <= n ? "done" : "not done");
    std::multimap<int, int> by_distance;
    for (int i = 0; i < n; ++i) by_distance.insert({distance[i], i});
    int shown = 0;
    for (auto it = by_distance.rbegin(); it != by_distance.rend() && shown < 5; ++it, ++shown) printf("%d:%d ", it->second, it->first);
    printf("\n");
    std::multiset<int> lengths(distance.begin(), distance.end());
    printf("%d different of %d, %d times %d\n", (int)std::set<int>(distance.begin(), distance.end()).size(), (int)lengths.size(),
           (int)lengths.count(*lengths.begin()), *lengths.begin());
    std::list<Entry> path;
    for (int u = n - 1, k = 0; k < 3; ++k, u = u * 7 % n) path.push_front({u, distance[u]});
    path.sort();
    for (auto &[node, length] : path) printf("(%d, %d)", node, length);
    std::map<std::tuple<int, int>, int> grid;
    for (int i = 0; i < n; ++i) grid[std::make_tuple(i % 3, i % 2)] += distance[i];
    for (auto &[key, sum] : grid) printf(" %d%d=%d", std::get<0>(key), std::get<1>(key), sum);
    printf("\n");
    for (int *p : {f, t, w, d, changed}) CHECK(cudaFree(p));
    return 0;
}
