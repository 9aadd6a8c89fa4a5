"""What a text is given on a GPU, as far as it can be told without one."""

from __future__ import annotations

from kernels.base.messages import Message
from kernels.gpu.text_run import TextRun, types_of, variables_of
from kernels.simt.base.launch import LaunchRequest

TEXT = "__constant__ short taps[2]; __device__ float gain = 3; __global__ void k(float* out, int n) { out[0] = gain * taps[n]; }"


def job(**texts: str) -> TextRun:
    return TextRun(TEXT, "k", LaunchRequest((1, 1, 1), (1, 1, 1)), texts={"out": "1", "n": "0", **texts})


def test_variables_hold_what_the_form_gives_them_and_nothing_else() -> None:
    given = job(taps="2:arange")
    found = variables_of(given, types_of(given))
    assert not isinstance(found, Message)
    assert {name.partition(" ")[0]: held.tolist() for name, held in found.items()} == {"taps": [0, 0, 1, 0]}
    assert variables_of(job(), types_of(job())) == {}


def test_a_variable_that_cannot_be_filled_is_a_reason() -> None:
    wrong = job(taps="3")
    assert "taps has 2 elements" in str(variables_of(wrong, types_of(wrong)))
