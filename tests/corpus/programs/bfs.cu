// finds: data-race 10
// Breadth-first search, a level a launch, until a flag stays down.
#include <cstdio>
#include <vector>

__global__ void expand(const int *starts, const int *edges, int *level, int now, int nodes, int *changed) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || level[node] != now) return;
    for (int e = starts[node]; e < starts[node + 1]; ++e)
        if (atomicCAS(&level[edges[e]], -1, now + 1) == -1) *changed = 1;
}

int main() {
    const int nodes = 60;
    std::vector<int> starts(1, 0), edges, level(nodes, -1);
    for (int i = 0; i < nodes; ++i) {
        for (int next : {2 * i + 1, 2 * i + 2, (i * 7 + 3) % nodes})
            if (next < nodes) edges.push_back(next);
        starts.push_back((int)edges.size());
    }
    level[0] = 0;
    int *ds, *de, *dl, *dc, changed = 1, now = 0;
    cudaMalloc(&ds, starts.size() * sizeof(int));
    cudaMalloc(&de, edges.size() * sizeof(int));
    cudaMalloc(&dl, nodes * sizeof(int));
    cudaMalloc(&dc, sizeof(int));
    cudaMemcpy(ds, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(de, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dl, level.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
    for (; changed; ++now) {
        cudaMemset(dc, 0, sizeof(int));
        expand<<<2, 32>>>(ds, de, dl, now, nodes, dc);
        cudaMemcpy(&changed, dc, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(level.data(), dl, nodes * sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> count(now);
    for (int l : level) count[l]++;
    for (int l = 0; l < now; ++l) printf("level %d: %d\n", l, count[l]);
    cudaFree(ds);
    cudaFree(de);
    cudaFree(dl);
    cudaFree(dc);
}
