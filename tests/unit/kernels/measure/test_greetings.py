"""The order of what threads print: read, kept and judged."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import pytest

from app.core.gpu_view.prints import observed_text
from kernels.gpu.process import caught
from kernels.measure.print_orders import (
    HOST,
    HOST_LINE,
    Order,
    Recorded,
    Shape,
    order_of,
    properties_of,
    read,
    recorded_from,
    recorded_text,
    written,
)
from tests.launches.launch_records import launch_of

SMALL = Shape(2, 3, 2)
WIDE = Shape(2, 32, 2)
"""Two blocks of two warps."""


def test_a_line_says_who_printed_it_and_back() -> None:
    order: Order = (HOST, *reversed(range(12)))
    text = "".join(SMALL.line(number) + "\n" for number in order)
    assert text.splitlines()[:2] == [HOST_LINE, "Hello World from Thread (2, 1) in Block 1!"]
    assert order_of(text, SMALL) == order
    with pytest.raises(ValueError, match="Hello World from Mars"):
        order_of("Hello World from Mars", SMALL)


@pytest.mark.parametrize(("order", "text"), [
    ((), ""), ((HOST, 0), "h 0"), ((HOST, 0, 1, 2), "h 0-2"), ((3, 4, 0, 1, 2, 9, HOST), "3-4 0-2 9 h"), ((5, 4), "5 4"),
])  # fmt: skip
def test_an_order_is_kept_as_text(order: Order, text: str) -> None:
    assert written(order) == text
    assert read(text) == order


def test_orders_are_recorded_with_their_conditions() -> None:
    orders = {SMALL: [tuple(range(12)), (HOST, *range(6, 12), *range(6))], WIDE: [(HOST, *range(128))]}
    back = recorded_from(recorded_text({"gpu": "H200"}, orders))
    assert back.conditions == {"gpu": "H200"}
    assert back.orders == {shape: tuple(runs) for shape, runs in orders.items()}


def held(order: Order, shape: Shape) -> set[str]:
    found = properties_of(order, shape)
    return {name for name in found.__slots__ if getattr(found, name)}


EVERYTHING = {"complete", "host_first", "warps_together", "blocks_together", "warps_in_order", "blocks_in_order"}
A, B, C, D = range(32), range(32, 64), range(64, 96), range(96, 128)
"""The warps of WIDE; A and B are block 0."""


@pytest.mark.parametrize(("order", "broken"), [
    ((HOST, *A, *B, *C, *D), set()),
    ((*A, *B, *C, *D, HOST), {"host_first"}),
    ((*A, *B, *C, *D), {"host_first"}),
    ((HOST, *C, *D, *A, *B), {"blocks_in_order"}),
    ((HOST, *B, *A, *C, *D), {"warps_in_order"}),
    ((HOST, *A, *C, *B, *D), {"blocks_together"}),
    ((HOST, *reversed(A), *B, *C, *D), {"warps_together"}),
    ((HOST, *A[:16], *B, *A[16:], *C, *D), {"warps_together"}),
    ((HOST, *A, *B, *C, *D[1:]), {"complete"}),
    ((HOST, *A, *A, *B, *C, *D), {"complete", "warps_together"}),
])  # fmt: skip
def test_what_holds_of_an_order_is_found(order: Order, broken: set[str]) -> None:
    assert held(order, WIDE) == EVERYTHING - broken


def test_what_another_language_prints_is_caught_behind_the_host(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    library = SimpleNamespace(pending=b"")

    def synchronize() -> None:
        os.write(1, library.pending)

    def launch() -> None:
        library.pending = b"Hello World from Thread (0, 0) in Block 0!\n"

    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "cupy.cuda", SimpleNamespace(runtime=SimpleNamespace(deviceSynchronize=synchronize)))
    assert order_of(caught(launch), SMALL) == (HOST, 0)
    os.write(1, b"after")
    assert capfd.readouterr().out == "after"


def test_the_stage_says_in_which_order_blocks_came_on_a_gpu() -> None:
    index = launch_of("gpu.hello", 0, blocks=2, threads_x=32, threads_y=2)
    mixed, in_order = (HOST, *C, *A, *D, *B), (HOST, *A, *B, *C, *D)
    known = Recorded({"gpu": "H200"}, {WIDE: (mixed, in_order)})
    said = observed_text(index, known)
    assert str(said) == "H200, recorded: blocks came in the order 1, 0; their lines stood together in 1 of 2 runs."
    assert observed_text(index, Recorded({"gpu": "H200"}, {SMALL: (mixed,)})) is None
    assert observed_text(index, None) is None
