// status: 139
// finds: out-of-bounds 11
#include <stdio.h>
#include <stdlib.h>

int main()
{
    int n = 10;
    int *squares = (int *)malloc(n * sizeof(int));
    for (int i = 0; i <= n; i++)
        squares[i] = i * i;
    printf("%d\n", squares[n - 1]);
    free(squares);
    return 0;
}
