"""Kernels that call themselves: what their source says of the calls, and what a trace, its frames and its words make of them."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.cpu_view.addresses import working_set
from app.core.cpu_view.frame import frame_at
from app.core.cpu_view.index import TraceIndex, overview
from app.core.frames.matrix import Role
from app.core.stage.model import Picture, picture_of
from kernels.base.spec import Problem
from kernels.cachesim.presets import SCALED, preset
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from kernels.cpusim.loops import CallRole, recursion, recursive_functions
from kernels.cpusim.trace import COPY

SOURCE = """
def halve(X, Y):
    if small(X):
        work(X, Y)
    else:
        note(X)
        add(X, X, S)
        halve(S, Y)
        add(Y, Y, Z)
        halve(X[1:], Y)

def work(X, Y):
    halves(X)
"""


def index_of(variant_id: str, n: int, **parameters: int) -> TraceIndex:
    variant = catalogue.by_id(variant_id)
    return TraceIndex(trace(variant, Problem.square(variant.operation, n), {**variant.defaults, **parameters}, seed=1))


@pytest.fixture(scope="module")
def halving() -> TraceIndex:
    return index_of("cpu.divide-and-conquer", 8, tile=4)


@pytest.fixture(scope="module")
def strassen() -> TraceIndex:
    return index_of("cpu.strassen", 8, crossover=2)


def test_what_stands_beside_a_call_belongs_to_the_call_that_needs_it_or_to_the_last() -> None:
    found = {line: (each.role, each.number, each.count) for line, each in recursion(SOURCE).items()}
    assert found == {7: (CallRole.BEFORE, 1, 2), 8: (CallRole.CALL, 1, 2), 9: (CallRole.AFTER, 1, 2), 10: (CallRole.CALL, 2, 2)}
    assert recursive_functions(SOURCE) == {"halve"}


def test_a_call_on_the_smallest_part_is_a_tile_step(halving: TraceIndex) -> None:
    assert halving.groups.computes.sum() == 8
    boxes = {tuple(box) for box, computes in zip(halving.groups.boxes["C"].tolist(), halving.groups.computes, strict=True) if computes}
    assert boxes == {(0, 4, 0, 4), (0, 4, 4, 8), (4, 8, 0, 4), (4, 8, 4, 8)}
    last = frame_at(halving, halving.trace.steps - 1, 1.0)
    assert last.added == (2, 2)
    assert [(call.current, len(call.values)) for call in last.calls] == [(2, 2)] * 3


def test_the_outermost_call_divides_the_overview(halving: TraceIndex) -> None:
    turns = overview(halving).turns
    assert len(turns) == 2, "from what precedes the first half to it, and from there to the second"


def test_where_nothing_calls_itself_there_are_no_calls() -> None:
    index = index_of("cpu.blocked", 8, tile=4)
    assert not index.trace.chains
    assert frame_at(index, 0).calls == ()


def test_sums_of_blocks_are_copies_of_nothing(strassen: TraceIndex) -> None:
    copies = strassen.trace.kind == COPY
    assert copies.any()
    assert not strassen.trace.rows[copies].any()


def test_each_step_of_strassen_says_which_product_it_is_for(strassen: TraceIndex) -> None:
    said: dict[str, set[str]] = {}
    for step in range(strassen.trace.steps):
        picture = picture_of(strassen, step, 0.0)
        assert isinstance(picture, Picture)
        equation = " ".join(str(term.text) for term in picture.description.equation)
        said.setdefault(str(picture.description.title), set()).add(equation)
        assert picture.description.reuse is None
        assert picture.frame.added == (0, 0)
        assert not any((matrix.roles == Role.BAND).any() for matrix in picture.frame.matrices)
    assert said["Level 1: before product 4 of 7"] == {"T = B21 − B11"}
    assert said["Level 2: product 1 of 7"] == {"C11 = S × T"}
    assert said["Level 1: after product 7 of 7"] == {"C11 = C11 + P"}
    assert len([title for title in said if title.startswith("Level 2: product")]) == 7


def test_what_strassen_reads_of_its_own_memory_is_said(strassen: TraceIndex) -> None:
    sentences = set()
    for step in range(strassen.trace.steps):
        picture = picture_of(strassen, step, 0.0)
        sentences.add(str(picture.description.sentence))
    assert "Works out T, which product 4 multiplies." in sentences
    assert "Takes product 2 into C22." in sentences
    assert "Reads S / T, which is in no matrix." in sentences
    assert not any(sentence.startswith("Touches ") for sentence in sentences)


def test_the_working_set_is_that_of_a_multiplication(halving: TraceIndex, strassen: TraceIndex) -> None:
    level = preset(SCALED).levels[0]
    of_halves = working_set(halving, level)
    assert of_halves is not None
    assert {name for name, lines in of_halves.lines if lines} == {"A", "B", "C"}
    assert working_set(strassen, level) is None


def test_packed_copies_are_used_as_often_as_they_are_multiplied(halving: TraceIndex) -> None:
    reuse = frame_at(halving, halving.trace.steps - 1).reuse
    assert (reuse.operands, reuse.distinct) == (2 * 4**3, 2 * 4**2)
    packed = index_of("cpu.packed", 16, mc=8, kc=8, nc=16)
    computing = int(np.flatnonzero(packed.groups.computes)[0])
    frame = frame_at(packed, int(packed.groups.start[computing]))
    a, b = frame.matrix("A").tile, frame.matrix("B").tile
    assert a is not None
    assert b is not None
    assert (frame.reuse.operands, frame.reuse.distinct) == (2 * a.rows * 8 * 16, a.rows * 8 + 8 * 16)
    assert (b.rows, b.columns) == (8, 16)
