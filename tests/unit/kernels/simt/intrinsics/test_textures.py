"""Textures: which texel a coordinate means, and what lies between texels, bit by bit as an H200 gave it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.launches.simt_launch import launch
from tests.unit.kernels.simt.host.test_ends import ran

BY_GPU = """
    0x1.50999ap+7 0x1.5d5532p+7 0x1.6a10ccp+7 0x1.76cc66p+7 0x1.8388p+7 0x1.90439ap+7 0x1.9cff32p+7 0x1.a9baccp+7
    0x1.b67666p+7 0x1.baba66p+7 0x1.c776p+7 0x1.cbbap+7 0x1.d8759ap+7 0x1.dcb99ap+7 0x1.e97532p+7 0x1.edb932p+7
    0x1.f1fd32p+7 0x1.f64132p+7 0x1.017e66p+8 0x1.03a066p+8 0x1.05c266p+8 0x1.03a89ap+8 0x1.05ca9ap+8 0x1.07ec9ap+8
    0x1.0a0e9ap+8 0x1.0c309ap+8 0x1.0a16ccp+8 0x1.0c38ccp+8 0x1.0a1fp+8 0x1.0c41p+8 0x1.0a2734p+8 0x1.080d66p+8
    0x1.05f39ap+8 0x1.08159ap+8 0x1.05fbccp+8 0x1.03e2p+8 0x1.01c834p+8 0x1.ff5cccp+7 0x1.fb2932p+7 0x1.ee7ep+7
    0x1.ea4a66p+7 0x1.e616ccp+7 0x1.d96b9ap+7 0x1.d538p+7 0x1.c88cccp+7 0x1.c45932p+7 0x1.b7aep+7 0x1.b37a66p+7
    0x1.a6cf32p+7 0x1.9a24p+7 0x1.8d78ccp+7 0x1.80cd9ap+7 0x1.742266p+7 0x1.677734p+7 0x1.5accp+7 0x1.4e20ccp+7
    0x1.38fep+7 0x1.2c52ccp+7 0x1.1fa79ap+7 0x1.0a84ccp+7 0x1.fbb334p+6 0x1.d16d9ap+6 0x1.a728p+6 0x1.8dd19ap+6
"""
"""tex2D<float>(t, 0.5 + i / 64, 0.7 + i / 128) of the texels 0, 256, 256 * 3.3f, 17, linear and clamped, for i = 0 ... 63."""
SAMPLE = "__global__ void k(cudaTextureObject_t t, float* out) { int i = threadIdx.x; out[i] = tex2D<float>(t, X, Y); }"
WRAP, CLAMP, MIRROR, BORDER = range(4)


def sampled(x: str, y: str, texels: np.ndarray, count: int, *, linear: int = 0, normalized: int = 0, mode: int = CLAMP) -> list[float]:
    """What threads 0, 1 ... sample at coordinates given in CUDA C."""
    height, width = texels.shape
    data = texels.astype(np.float32).view(np.uint8).reshape(-1)
    told = {"width": width, "height": height, "pitch": 4 * width, "bytes": 4, "scale": 0, "normalized": normalized, "linear": linear}
    given = {f"t.{name}": value for name, value in {**told, "mode_x": mode, "mode_y": mode}.items()}
    text = SAMPLE.replace("X", x).replace("Y", y)
    trace = launch(text, 1, count, {"t.data": data, **given, "out": np.zeros(count, np.float32)})
    assert trace.findings == ()
    found: list[float] = trace.values["out"].tolist()
    return found


def test_between_texels_it_is_what_the_unit_for_textures_gives() -> None:
    texels = np.array([[0, 256], [np.float32(256) * np.float32(3.3), 17]], np.float32)
    expected = [float.fromhex(each) for each in BY_GPU.split()]
    assert sampled("0.5f + i * (1.0f / 64)", "0.7f + i * (1.0f / 64) * 0.5f", texels, 64, linear=1) == expected


@pytest.mark.parametrize(
    ("mode", "texels"),
    [
        (WRAP, [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1]),
        (CLAMP, [0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3]),
        (MIRROR, [1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1]),
        (BORDER, [0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_beyond_the_edge_the_mode_says_what_is_read(mode: int, texels: list[int]) -> None:
    assert sampled("(i - 2 + 0.5f) / 4", "0.5f", np.array([[0, 1, 2, 3]]), 12, normalized=1, mode=mode) == texels


def test_linear_memory_is_read_by_index_and_zero_beyond_it() -> None:
    text = """#include <cstdio>
__global__ void k(cudaTextureObject_t t, int* out) { int i = threadIdx.x; out[i] = tex1Dfetch<int>(t, i - 1); }
int main() {
    int *data, *out, host[6] = {3, 4, 5, 6};
    cudaMalloc(&data, 16); cudaMalloc(&out, 24);
    cudaMemcpy(data, host, 16, cudaMemcpyHostToDevice);
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeLinear;
    from.res.linear.devPtr = data;
    from.res.linear.desc = cudaCreateChannelDesc<int>();
    from.res.linear.sizeInBytes = 16;
    cudaTextureDesc how = {};
    cudaTextureObject_t t = 0;
    cudaCreateTextureObject(&t, &from, &how, nullptr);
    k<<<1, 6>>>(t, out);
    cudaMemcpy(host, out, 24, cudaMemcpyDeviceToHost);
    for (int each : host) printf("%d ", each);
    cudaDestroyTextureObject(t);
    cudaFree(data); cudaFree(out);
}"""
    done = ran(text)
    assert (done.stdout, done.findings) == ("0 3 4 5 6 0 ", ())
