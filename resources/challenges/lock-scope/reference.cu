extern "C" __global__ void largest(
    const int* A, int* lock, int* best, int n)
{
    for (int i = 0; i < n; ++i)
        if (A[i] > best[0] || (A[i] == best[0] && i < best[1])) {
            best[0] = A[i];
            best[1] = i;
        }
}
