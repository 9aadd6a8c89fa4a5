// Numbers of 16 bits on the host: copied from the device, converted, rounded to nearest even from float, double and int, computed with.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

int main(int argc, char**)
{
    half* device;
    half copied[4];
    cudaMalloc(&device, sizeof copied);
    cudaMemset(device, 0x3c, sizeof copied);
    cudaMemcpy(copied, device, sizeof copied, cudaMemcpyDeviceToHost);
    cudaFree(device);
    printf("%g\n", (float)copied[3]);

    volatile float tenth = 0.1f * argc;
    volatile double third = argc / 3.0, large = argc * 1e300;
    volatile double below = argc * 1.00048828125000001, above = argc * 1.00048828125000022;
    printf("%.8f %.8f %g\n", (float)half((float)tenth), (float)half((double)third), (float)half((double)large));
    printf("%.8f %.8f\n", (float)half((double)below), (float)half((double)above));

    half whole = __int2half_rn(2049 * argc);
    printf("%.8f %g %d\n", __half2float(__float2half(tenth)), __half2float(whole), __half2int_rz(__double2half(third * -8)));

    __nv_bfloat16 x = (float)tenth, y = (float)third, odd = (float)(257 * argc);
    printf("%.8f %.8f %.8f %g %d\n", (float)x, (float)(x + y), (float)(x * y), (float)odd, (int)(x < y));
    return 0;
}
