// A linked list in unified memory: the host makes it, a kernel walks and changes it, the host reads it again.
#include <cuda_runtime.h>
#include <iostream>
#include <new>

class Managed {
  public:
    void* operator new(size_t bytes)
    {
        void* made;
        cudaMallocManaged(&made, bytes);
        cudaDeviceSynchronize();
        return made;
    }
    void operator delete(void* made)
    {
        cudaDeviceSynchronize();
        cudaFree(made);
    }
};

struct Node : public Managed {
    int value;
    Node* next;
    Node(int v, Node* n) : value(v), next(n) {}
};

struct List : public Managed {
    Node* head = nullptr;
    int length = 0;
    void push(int value)
    {
        head = new Node(value, head);
        ++length;
    }
    ~List()
    {
        while (head) {
            Node* gone = head;
            head = head->next;
            delete gone;
        }
    }
};

__global__ void add_index(List* list)
{
    int at = 0;
    for (Node* node = list->head; node != nullptr; node = node->next, ++at)
        if (at % blockDim.x == threadIdx.x)
            node->value += 100 * at;
}

__global__ void reverse(List* list)
{
    if (threadIdx.x || blockIdx.x)
        return;
    Node* before = nullptr;
    for (Node* node = list->head; node;) {
        Node* next = node->next;
        node->next = before;
        before = node;
        node = next;
    }
    list->head = before;
}

std::ostream& operator<<(std::ostream& out, const List& list)
{
    out << "[";
    for (const Node* node = list.head; node; node = node->next)
        out << node->value << (node->next ? ", " : "");
    return out << "] " << list.length;
}

int main()
{
    List* list = new List;
    for (int i = 1; i <= 8; ++i)
        list->push(i);
    std::cout << *list << std::endl;
    add_index<<<1, 4>>>(list);
    cudaDeviceSynchronize();
    std::cout << *list << std::endl;
    reverse<<<1, 1>>>(list);
    cudaDeviceSynchronize();
    std::cout << *list << '\n';
    delete list;
    return 0;
}
