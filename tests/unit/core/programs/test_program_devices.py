"""A program run as a GPU: its properties, how many blocks it holds, what it gives a block, and which blocks it can hold together."""

from __future__ import annotations

import pytest

from app.core.programs.host_program import device_of
from kernels.analysis.device_profiles import profiles
from kernels.simt.host.process import Programs
from kernels.simt.host.result import Device, ProgramJob, ProgramRun

DEVICES = {profile.id: device_of(profile) for profile in profiles()} | {
    "b200": Device("NVIDIA B200", (10, 0), 148, 180 << 30, 126 << 20, 1_965_000),
    "rtx-5090": Device("NVIDIA GeForce RTX 5090", (12, 0), 170, 32 << 30, 96 << 20, 2_407_000),
}
PUBLISHED = {
    "v100": (2048, 32, 96, 96), "t4": (1024, 16, 64, 64), "a100": (2048, 32, 164, 163), "rtx-3060": (1536, 16, 100, 99),
    "rtx-4070": (1536, 24, 100, 99), "rtx-4090": (1536, 24, 100, 99), "h100": (2048, 32, 228, 227), "h200": (2048, 32, 228, 227),
    "b200": (2048, 32, 228, 227), "rtx-5090": (1536, 24, 100, 99),
}  # fmt: skip
"""Threads and blocks of a multiprocessor, its KiB of shared memory, and those that a block gets that opts in: the CUDA C++ Programming
Guide's technical specifications for each compute capability."""
OF_32_KIB = {"v100": 3, "t4": 2, "a100": 4, "h100": 6, "h200": 6, "b200": 6}
"""Blocks of 32 KiB that a multiprocessor holds, where that is not 3; from 8.0 on the system takes 1 KiB of each."""

QUERY = """#include <cstdio>
__global__ void plain() {}
__global__ void own(int* p) { __shared__ int kept[256]; kept[threadIdx.x] = *p; *p = kept[0]; }
int held(int threads, size_t shared) {
    int blocks = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, threads, shared);
    return blocks;
}
int allowed(int bytes) {
    int error = cudaFuncSetAttribute(own, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaGetLastError();
    return error;
}
int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    int threads, blocks, all, most, grid, block;
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
    cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    printf("%d %d %zu %zu\\n", p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor, p.sharedMemPerMultiprocessor / 1024,
           p.sharedMemPerBlockOptin / 1024);
    printf("%d %d %d %d\\n", threads, blocks, all / 1024, most / 1024);
    int out = (int)p.sharedMemPerBlockOptin;
    cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, out);
    printf("%d %d %d %d %d %d\\n", held(32, 0), held(256, 0), held(1024, 0), held(128, 32 * 1024), held(32, out), held(32, out + 1));
    if (p.major == 0) own<<<1, 256>>>(nullptr);
    printf("%d %d\\n", allowed(out - 1024), allowed(out - 1023));
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain);
    printf("%d %d\\n", grid / p.multiProcessorCount, block);
}
"""
TOGETHER = """#include <cooperative_groups.h>
#include <cstdio>
__global__ void meet(int* p) { atomicAdd(p, 1); cooperative_groups::this_grid().sync(); if (*p != gridDim.x) *p = -1; }
int main() {
    cudaDeviceProp q;
    cudaGetDeviceProperties(&q, 0);
    int *p, met = 0, shared = (int)q.sharedMemPerBlockOptin;
    cudaMalloc(&p, 4);
    cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    for (int more = 0; more < 2; ++more) {
        cudaMemset(p, 0, 4);
        void* given[] = {&p};
        int error = cudaLaunchCooperativeKernel(meet, q.multiProcessorCount + more, 1, given, shared, 0);
        cudaMemcpy(&met, p, 4, cudaMemcpyDeviceToHost);
        printf("%d %d\\n", error, met);
    }
    void* given[] = {&p};
    int whole = q.maxThreadsPerMultiProcessor / 1024 * q.multiProcessorCount;
    printf("%d\\n", (int)cudaLaunchCooperativeKernel(meet, whole + 1, 1024, given, 0, 0));
    cudaFree(p);
}
"""


def printed(text: str, device: str) -> list[tuple[int, ...]]:
    """The numbers that a program prints, line by line."""
    done = Programs().run(ProgramJob(text, device=DEVICES[device]))
    assert isinstance(done, ProgramRun), done
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("device", DEVICES)
def test_a_program_is_told_what_the_gpu_has(device: str) -> None:
    properties, attributes, held, allowed, best = printed(QUERY, device)
    threads, blocks, *_ = published = PUBLISHED[device]
    assert properties == attributes == published
    assert held == (min(blocks, threads // 32), threads // 256, threads // 1024, OF_32_KIB.get(device, 3), 1, 0)
    assert allowed == (0, 1)
    assert best == {2048: (2, 1024), 1536: (2, 768), 1024: (1, 1024)}[threads]


@pytest.mark.parametrize("device", DEVICES)
def test_blocks_that_wait_for_each_other_fit_or_are_refused(device: str) -> None:
    fit, one_more, of_threads = printed(TOGETHER, device)
    assert fit == (0, DEVICES[device].multiprocessors)
    assert one_more == (720, 0)
    assert of_threads == (720,)
