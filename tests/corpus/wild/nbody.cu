// All pairs of bodies: positions pass through shared memory tile by tile; dynamic shared memory behind a struct.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

template <typename T> struct SharedMemory {
    __device__ inline operator T*()
    {
        extern __shared__ int __smem[];
        return (T*)__smem;
    }
    __device__ inline operator const T*() const
    {
        extern __shared__ int __smem[];
        return (T*)__smem;
    }
};

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj, float softening)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
    distSqr += softening;
    float invDist = 1.0f / sqrtf(distSqr);
    float invDistCube = invDist * invDist * invDist;
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void accelerations(const float4* __restrict__ positions, float3* acc, int numBodies, float softening)
{
    float4* sharedPos = SharedMemory<float4>();
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float4 position = index < numBodies ? positions[index] : make_float4(0, 0, 0, 0);
    float3 a = {0.0f, 0.0f, 0.0f};
    const int tiles = (numBodies + blockDim.x - 1) / blockDim.x;

    for (int tile = 0; tile < tiles; tile++) {
        int from = tile * blockDim.x + threadIdx.x;
        sharedPos[threadIdx.x] = from < numBodies ? positions[from] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (unsigned int counter = 0; counter < blockDim.x; counter++)
            a = bodyBodyInteraction(a, position, sharedPos[counter], softening);
        __syncthreads();
    }
    if (index < numBodies)
        acc[index] = a;
}

int main()
{
    const int bodies = 4096, threads = 256;
    std::vector<float4> host(bodies);
    for (auto& body : host)
        body = make_float4(drand48(), drand48(), drand48(), 1.0f);
    float4* positions;
    float3* acc;
    cudaMalloc(&positions, bodies * sizeof(float4));
    cudaMalloc(&acc, bodies * sizeof(float3));
    cudaMemcpy(positions, host.data(), bodies * sizeof(float4), cudaMemcpyHostToDevice);
    accelerations<<<(bodies + threads - 1) / threads, threads, threads * sizeof(float4)>>>(positions, acc, bodies, 1e-3f);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
