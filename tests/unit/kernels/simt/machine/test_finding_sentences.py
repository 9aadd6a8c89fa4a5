"""What is said of an access names the memory, and of a type what the text wrote."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Filled, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.launchable import refuse_launch
from tests.launches.simt_launch import launch


def test_an_array_without_elements_is_named() -> None:
    text = "__global__ void k(float* x, float* y) { float* p = threadIdx.x ? x : y; p[1] = 0; }"
    found = launch(text, 1, 2, {"x": Filled(0), "y": np.zeros(2, np.float32)}).findings
    assert [str(each.message) for each in found] == ["p[1] reaches element 1 of x, which has 0."]


@pytest.mark.parametrize("target", ["&bins[n]", "bins + n"])
def test_what_an_atomic_reads_is_named(target: str) -> None:
    text = f"__global__ void k(int* bins, int n) {{ atomicAdd({target}, 1); }}"
    found = launch(text, 1, 1, {"bins": Filled(4), "n": 2}).findings
    expected = "bins[n]" if "&" in target else "*(bins + n)"
    assert [str(each.message) for each in found] == [f"{expected} is read before it is written."]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("char", "char"), ("signed char", "signed char"), ("size_t", "size_t"), ("uint8_t", "uint8_t"), ("long", "long"),
        ("unsigned long long", "unsigned long long"), ("const size_t", "size_t"), ("unsigned", "unsigned int"), ("index", "index"),
    ],
)  # fmt: skip
def test_a_type_is_called_what_the_text_calls_it(written: str, shown: str) -> None:
    unit = parse(f"using index = int; __global__ void k({written} n, {written}* p) {{ p[0] = n; }}".replace("const size_t* p", "size_t* p"))
    kernel = lower(unit, "k")
    assert str(refuse_launch(kernel, LaunchRequest((1, 1, 1), (1, 1, 1)))) == f"k needs a value for n ({shown})."
    missing = LaunchRequest((1, 1, 1), (1, 1, 1), {"n": 1})
    assert str(refuse_launch(kernel, missing)) == f"k needs a value for p ({shown}*)."
