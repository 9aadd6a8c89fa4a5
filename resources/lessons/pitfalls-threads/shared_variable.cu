// A variable outside of the loop, one for all threads.
//
//   float t;                 outside: all threads have this one
//   for (...) { t = ...; }   inside, each has one of its own
//
// Launch: one block; its threads stand for those of a processor.

extern "C" __global__ void shared_variable(
    const float* x, float* y, int n)
{
    __shared__ float t;

    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        t = x[i];
        y[i] = t * t;
    }
}
