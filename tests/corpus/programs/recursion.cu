// status: 7
#include <cstdio>

static int calls = 0;

int ackermann(int m, int n) {
    ++calls;
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

bool even(unsigned n);
bool odd(unsigned n) { return n == 0 ? false : even(n - 1); }
bool even(unsigned n) { return n == 0 ? true : odd(n - 1); }

void permute(char* text, int from, int to, int& count) {
    if (from == to) {
        if (count++ < 4) printf("%s ", text);
        return;
    }
    for (int i = from; i <= to; ++i) {
        char c = text[from]; text[from] = text[i]; text[i] = c;
        permute(text, from + 1, to, count);
        c = text[from]; text[from] = text[i]; text[i] = c;
    }
}

void sort(int* a, int low, int high) {
    if (low >= high) return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
    }
    sort(a, low, j);
    sort(a, i, high);
}

int main() {
    printf("%d after %d calls\n", ackermann(2, 3), calls);
    printf("%d %d\n", even(1000), odd(1000));
    char text[] = "abcd";
    int count = 0;
    permute(text, 0, 3, count);
    printf("... %d\n", count);
    int a[] = {5, -3, 9, 0, 2, 8, -7, 1};
    sort(a, 0, 7);
    for (int x : a) printf("%d ", x);
    printf("\n");
    return ackermann(1, 5);
}
