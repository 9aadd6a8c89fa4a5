"""A tensor map written in one text, as the launch form and the command line take it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.core.session.draft_arguments import named, refuse_text, texts_of
from kernels.base.messages import Message
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.arguments import with_arguments
from kernels.simt.run.execution import execute
from kernels.simt.run.written_objects import EXAMPLE, tensor_map

TEXT = (Path(__file__).parents[4] / "corpus" / "instructions" / "tensor-load-swizzled.cu").read_text(encoding="utf-8")
LARGEST = 1 << 24


def test_a_kernel_is_launched_with_a_map_of_one_text() -> None:
    unit = parse(TEXT)
    launch = with_arguments(lower(unit, "tile"), LaunchRequest((1, 1, 1), (32, 1, 1), {}), {
        "map": "24x80:arange:box=8x32:swizzle=128", "out": "256",
    })  # fmt: skip
    assert isinstance(launch, LaunchRequest)
    out = execute(lower(unit, "tile"), replace(launch), TEXT).values["out"]
    assert np.array_equal(np.asarray(out).reshape(8, 32), np.arange(24 * 80).reshape(24, 80)[8:16, 32:64])


def test_the_form_asks_for_one_text_and_has_one() -> None:
    (kernel,) = parse(TEXT).kernels
    assert [each.name for each in named(kernel)] == ["map", "out"]
    assert texts_of(kernel, {})["map"] == EXAMPLE
    parameter = next(named(kernel))
    assert refuse_text(parameter, EXAMPLE) is None
    assert "for example 64x64" in str(refuse_text(parameter, "64x64"))


@pytest.mark.parametrize(("text", "said"), [
    ("64", "a tensor and a box"),
    ("64x64:box=8", "a tensor and a box"),
    ("64x64:box=8x8:swizzle=48", "a tensor and a box"),
    ("64x64:float16:box=8x8", "a tensor and a box"),
    ("64x65:box=8x8", "must be a multiple of 16 bytes, not 260"),
    ("64x64:box=8x6", "a row of the box has 24 bytes"),
    ("64x64:box=8x64:swizzle=128", "a row of the box has 256 bytes"),
    ("512x512:box=300x4", "at most 256 elements"),
    ("5000x5000:double:box=4x4", "16 MiB are allowed"),
])  # fmt: skip
def test_what_is_no_map_is_refused_in_words(text: str, said: str) -> None:
    found = tensor_map("map", text, LARGEST)
    assert isinstance(found, Message)
    assert said in str(found)


@pytest.mark.parametrize("element", ["u8", "u16", "u32", "int", "u64", "long", "half", "float", "double", "bfloat16"])
def test_every_type_of_element_has_a_map(element: str) -> None:
    for fill in ("", ":zeros", ":arange"):
        found = tensor_map("map", f"3x32{fill}:{element}:box=2x16", LARGEST)
        assert isinstance(found, dict)
        assert found["map.size[0]"] == 32
        assert found["map.box[1]"] == 2
