// Breadth-first search over a list of edges, as C++ reads it: std::ifstream, >>, getline, comments in the file.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

__global__ void expand(const int* from, const int* to, int edges, const int* level, int* next, int depth, int* changed) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges && level[from[e]] == depth && level[to[e]] < 0 && atomicCAS(&next[to[e]], -1, depth + 1) == -1) atomicAdd(changed, 1);
}

struct Graph {
    int nodes = 0;
    std::vector<int> from, to;
};

static bool readGraph(const std::string& name, Graph& graph) {
    std::ifstream in(name);
    if (!in.is_open()) return false;
    std::string line;
    int skipped = 0, lines = 0;
    while (std::getline(in, line)) {
        ++lines;
        if (line.empty() || line[0] == '#') { ++skipped; continue; }
        std::istringstream words(line);
        if (graph.nodes == 0) { words >> graph.nodes; continue; }
        int a, b;
        if (words >> a >> b) { graph.from.push_back(a); graph.to.push_back(b); }
    }
    std::cout << lines << " lines, " << skipped << " skipped, eof " << in.eof() << ", fail " << in.fail() << "\n";
    in.close();
    return !in.is_open();
}

int main() {
    Graph graph;
    if (readGraph("no_such_graph.txt", graph)) return 1;
    std::cout << "the first file is not there\n";
    if (!readGraph("file_graph.txt", graph)) return 1;
    int edges = static_cast<int>(graph.from.size());
    std::cout << graph.nodes << " nodes, " << edges << " edges\n";

    int *from, *to, *level, *next, *changed;
    cudaMalloc(&from, edges * sizeof(int));
    cudaMalloc(&to, edges * sizeof(int));
    cudaMalloc(&level, graph.nodes * sizeof(int));
    cudaMalloc(&next, graph.nodes * sizeof(int));
    cudaMalloc(&changed, sizeof(int));
    cudaMemcpy(from, graph.from.data(), edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(to, graph.to.data(), edges * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> host(graph.nodes, -1);
    host[0] = 0;
    cudaMemcpy(level, host.data(), graph.nodes * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(next, level, graph.nodes * sizeof(int), cudaMemcpyDeviceToDevice);
    int found = 1;
    for (int depth = 0; found > 0; ++depth) {
        cudaMemset(changed, 0, sizeof(int));
        expand<<<(edges + 31) / 32, 32>>>(from, to, edges, level, next, depth, changed);
        cudaMemcpy(level, next, graph.nodes * sizeof(int), cudaMemcpyDeviceToDevice);
        cudaMemcpy(&found, changed, sizeof(int), cudaMemcpyDeviceToHost);
        std::cout << "depth " << depth << ": " << found << " more\n";
    }
    cudaMemcpy(host.data(), level, graph.nodes * sizeof(int), cudaMemcpyDeviceToHost);
    for (int node = 0; node < graph.nodes; ++node) std::cout << node << ":" << host[node] << (node + 1 < graph.nodes ? " " : "\n");
    cudaFree(from); cudaFree(to); cudaFree(level); cudaFree(next); cudaFree(changed);
    return 0;
}
