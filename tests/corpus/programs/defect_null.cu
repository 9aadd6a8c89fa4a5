// status: 139
// finds: null-pointer 11
#include <cstdio>
#include <cstdlib>

struct Item { int weight; Item* next; };

int main() {
    Item first = {4, NULL};
    int total = 0;
    for (Item* p = &first; total < 10; p = p->next) total += p->weight;
    printf("%d\n", total);
}
