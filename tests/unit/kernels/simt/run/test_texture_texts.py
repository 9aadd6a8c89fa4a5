"""Textures and surfaces written in one text, as the launch form and the command line take them."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.session.draft_arguments import named, refuse_text, texts_of
from kernels.base.messages import Message
from kernels.gpu import text_run
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.run.worker import trace_job
from kernels.simt.run.written_objects import SURFACE_EXAMPLE, TEXTURE_EXAMPLE, surface, texture
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced, Traced

LARGEST = 1 << 24


def read(text: str, fetch: str, count: int = 4) -> list[float]:
    """What threads read from a texture."""
    kernel = f"__global__ void k(cudaTextureObject_t t, float* out) {{ int i = threadIdx.x; out[i] = {fetch}; }}"
    outcome = trace_job(
        LaunchSpec(kernel, None, LaunchRequest((1, 1, 1), (count, 1, 1)), texts={"t": text, "out": str(count)}),
    )
    assert isinstance(outcome, Traced)
    values: list[float] = np.asarray(outcome.trace.values["out"]).tolist()
    return values


@pytest.mark.parametrize(
    ("text", "fetch", "found"),
    [
        ("8:arange", "tex1Dfetch<float>(t, i + 2)", [2, 3, 4, 5]),
        ("2:arange", "tex1Dfetch<float>(t, i)", [0, 1, 1, 1]),
        ("2:arange:border", "tex1Dfetch<float>(t, i)", [0, 1, 0, 0]),
        ("2:arange:normalized:wrap", "tex1D<float>(t, (i + 0.5f) / 2)", [0, 1, 0, 1]),
        ("2:arange:normalized:mirror", "tex1D<float>(t, (i + 0.5f) / 2)", [0, 1, 1, 0]),
        ("4:arange:linear", "tex1D<float>(t, i + 1.0f)", [0.5, 1.5, 2.5, 3]),
        ("2x4:arange", "tex2D<float>(t, i + 0.5f, 1.5f)", [4, 5, 6, 7]),
        ("4:arange:uchar", "tex1Dfetch<unsigned char>(t, i)", [0, 1, 2, 3]),
        ("4:arange:uchar:unit", "tex1Dfetch<float>(t, i) * 255", [0, 1, 2, 3]),
        ("4:arange:float2", "tex1Dfetch<float2>(t, i).y", [1, 3, 5, 7]),
    ],
)
def test_a_texture_of_one_text_is_read_as_it_says(text: str, fetch: str, found: list[float]) -> None:
    assert read(text, fetch) == pytest.approx(found)


def test_a_surface_of_one_text_is_written() -> None:
    kernel = "__global__ void k(cudaSurfaceObject_t s) { surf1Dwrite((float)threadIdx.x, s, threadIdx.x * 4); }"
    outcome = trace_job(LaunchSpec(kernel, None, LaunchRequest((1, 1, 1), (4, 1, 1)), texts={"s": "4:zeros"}))
    assert isinstance(outcome, Traced)
    assert np.asarray(outcome.trace.values["s.data"]).view(np.float32).tolist() == [0, 1, 2, 3]


def test_the_form_asks_for_one_text_of_each_and_has_one() -> None:
    (kernel,) = parse("__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s) {}").kernels
    assert texts_of(kernel, {}) == {"t": TEXTURE_EXAMPLE, "s": SURFACE_EXAMPLE}
    assert [refuse_text(each, texts_of(kernel, {})[each.name]) for each in named(kernel)] == [None, None]


@pytest.mark.parametrize("text", ["0", "", "8xx8", "8:blue", "8:float:unit", "0x8"])
def test_what_is_no_texture_is_refused_with_an_example(text: str) -> None:
    found = texture("t", text, LARGEST)
    assert isinstance(found, Message)
    assert f"for example {TEXTURE_EXAMPLE}, with any of these words behind" in str(found)


def test_a_surface_has_no_modes_and_all_have_a_limit() -> None:
    assert isinstance(surface("s", "8:wrap", LARGEST), Message)
    assert "allowed" in str(texture("t", "5000x5000", LARGEST))


def test_of_pointers_to_pointers_it_is_said_what_to_do() -> None:
    kernel = "__global__ void k(float** rows) { rows[0][threadIdx.x] = 1; }"
    outcome = trace_job(LaunchSpec(kernel, None, LaunchRequest((1, 1, 1), (4, 1, 1)), texts={"rows": "4"}))
    assert isinstance(outcome, NotTraced)
    assert "write a main that allocates the arrays" in str(outcome.reason)


def test_a_kernel_with_a_texture_is_not_timed_on_a_gpu() -> None:
    text = "__global__ void k(cudaTextureObject_t t, float* out) { out[0] = tex1Dfetch<float>(t, 0); }"
    job = text_run.TextRun(text, "k", LaunchRequest((1, 1, 1), (4, 1, 1)), texts={"t": "8", "out": "1"})
    refused = text_run.values_of(job, text_run.types_of(job))
    assert isinstance(refused, Message)
    assert "t is an object that the runtime makes" in str(refused)
