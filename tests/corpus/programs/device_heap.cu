// Lists that a kernel makes with new, a later one adds up and deletes; a heap that has no room for more.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
struct Node { int value; Node *next; __device__ Node(int v, Node *n) : value(v), next(n) {} };
__device__ Node *lists[64];
__global__ void build(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node *head = nullptr;
    for (int k = 0; k < n; ++k) head = new Node(i + k, head);
    lists[i] = head;
    int *room = (int *)malloc(sizeof(int) * 4);
    if (room != nullptr) { for (int k = 0; k < 4; ++k) room[k] = k; room[0] = room[3]; }
    free(room);
    float *zeros = new float[3]();
    zeros[1] += 1;
    delete[] zeros;
    char *huge = (char *)malloc(9 << 20);
    if (i == 0) printf("huge %d\n", huge != nullptr);
}
__global__ void sum(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = 0;
    for (Node *n = lists[i]; n != nullptr;) { s += n->value; Node *next = n->next; delete n; n = next; }
    out[i] = s;
}
int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof(h));
    build<<<2, 32>>>(3);
    sum<<<2, 32>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[1], h[63]);
    cudaFree(d);
    return 0;
}
