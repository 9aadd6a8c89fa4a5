#include <cstdio>

struct Node {
    int value;
    Node* next;
    Node(int v, Node* n) : value(v), next(n) {}
};

class Stack {
    Node* top = nullptr;
    int count = 0;

public:
    void push(int v) {
        top = new Node(v, top);
        count++;
    }
    int pop() {
        Node* gone = top;
        int v = gone->value;
        top = gone->next;
        delete gone;
        --count;
        return v;
    }
    bool empty() const { return top == nullptr; }
    int size() const { return count; }
};

struct Tree {
    int key;
    Tree *left, *right;
};

Tree* insert(Tree* t, int key) {
    if (!t) {
        Tree* made = new Tree;
        made->key = key;
        made->left = made->right = nullptr;
        return made;
    }
    if (key < t->key) t->left = insert(t->left, key);
    else t->right = insert(t->right, key);
    return t;
}

int walk(Tree* t, int depth) {
    if (!t) return depth;
    int a = walk(t->left, depth + 1);
    printf("%d ", t->key);
    int b = walk(t->right, depth + 1);
    delete t;
    return a > b ? a : b;
}

int main() {
    Stack s;
    for (int i = 1; i <= 5; ++i) s.push(i * i);
    printf("%d:", s.size());
    while (!s.empty()) printf(" %d", s.pop());
    printf("\n");
    Tree* root = nullptr;
    int keys[] = {50, 30, 70, 20, 40, 60, 80, 35};
    for (int k : keys) root = insert(root, k);
    printf("depth %d\n", walk(root, 0));
}
