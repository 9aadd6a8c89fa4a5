// Rows packed: those that pass a test, found by votes and written by their rank. Written on Windows.
#include "stdafx.h"
#include <windows.h>
#include "device_launch_parameters.h"
#include <device_functions.h>

#ifdef __INTELLISENSE__
void __syncthreads();
#endif

typedef unsigned int u32;
#define WARP 32u
#define FULL 0xFFFFFFFFu

static __device__ __forceinline__ u32 rank_in(u32 votes, u32 lane)
{
	return __popc(votes & ((1u << lane) - 1u));
}

extern "C" __global__ void pack_rows(const float* __restrict__ in, float* __restrict__ out, u32* __restrict__ count, u32 n, float least)
{
	__shared__ u32 s_base;
	__shared__ u32 s_warp[WARP];
	const u32 tid = threadIdx.x, lane = tid % WARP, warp = tid / WARP;
	const u32 i = blockIdx.x * blockDim.x + tid;
	const bool keep = i < n && in[i] >= least;
	const u32 votes = __ballot_sync(FULL, keep);
	if (lane == 0u)
		s_warp[warp] = __popc(votes);
	__syncthreads();
	if (tid == 0u)
	{
		u32 total = 0u;
		for (u32 w = 0u; w < blockDim.x / WARP; ++w)
		{
			const u32 own = s_warp[w];
			s_warp[w] = total;
			total += own;
		}
		s_base = atomicAdd(count, total);
	}
	__syncthreads();
	if (keep)
		out[s_base + s_warp[warp] + rank_in(votes, lane)] = in[i];
}

int _tmain(int argc, _TCHAR* argv[])
{
	LARGE_INTEGER frequency;
	QueryPerformanceFrequency(&frequency);
	pack_rows<<<4, 128>>>(dev_in, dev_out, dev_count, 500u, 0.0f);
	cudaError_t cudaStatus = cudaDeviceReset();
	if (cudaStatus != cudaSuccess) { fprintf(stderr, "cudaDeviceReset failed!"); return 1; }
	system("pause");
	return 0;
}
