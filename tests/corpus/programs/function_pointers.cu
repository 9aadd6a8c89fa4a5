// Functions as values: in tables, as arguments, for qsort and std::sort.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef float (*Operation)(float, float);

float add(float a, float b) { return a + b; }
float multiply(float a, float b) { return a * b; }
float reduce(const float *a, int n, float start, Operation apply) {
    for (int i = 0; i < n; ++i) start = apply(start, a[i]);
    return start;
}

int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
struct Item {
    char name[12];
    int weight;
};
int by_weight(const void *a, const void *b) { return ((const Item *)a)->weight - ((const Item *)b)->weight; }
bool by_size(int a, int b) { return abs(a) < abs(b); }

struct Test {
    const char *name;
    Operation apply;
    float start;
};

int main() {
    float values[] = {1, 2, 3, 4};
    Test tests[] = {{"sum", add, 0}, {"product", &multiply, 1}};
    for (const Test &test : tests) printf("%s %g\n", test.name, reduce(values, 4, test.start, test.apply));
    int numbers[] = {5, -1, 40, 3, -9, 0};
    qsort(numbers, 6, sizeof(int), ascending);
    for (int x : numbers) printf("%d ", x);
    std::sort(numbers, numbers + 6, by_size);
    for (int x : numbers) printf("%d ", x);
    Item items[] = {{"c", 30}, {"a", 10}, {"d", 10}, {"b", 20}};
    qsort(items, 4, sizeof(Item), by_weight);
    for (const Item &item : items) printf("%s%d ", item.name, item.weight);
    int (*compare)(const void *, const void *) = nullptr;
    printf("\n%d %d\n", compare == nullptr, tests[0].apply == add);
}
