"""What arrays are to each other is told by accesses and values, by no name."""

from __future__ import annotations

import pytest

from kernels.analysis.operands import Operand, operands
from kernels.simt.base.launch import Argument, Fill, Filled
from tests.launches import own_kernels
from tests.launches.own_kernels import Own, full


def found(own: Own, given: dict[int, int] | None = None) -> dict[str, tuple[str, int, int]]:
    """By the array's name its letter, rows and columns."""
    index = own.launched()
    arrays = operands(index.trace, index.record.contents, given or {})
    return {index.trace.allocations[each.allocation].name: (each.letter, each.rows, each.columns) for each in arrays}


@pytest.mark.parametrize("kind", ["add", "saxpy", "striding", "all pairs", "reduction", "histogram", "gather"])
def test_vectors_are_no_matrices(kind: str) -> None:
    assert found(own_kernels.EVERY[kind]) == {}


@pytest.mark.parametrize(("kind", "n"), [("naive", 40), ("one block", 16), ("tiled", 32), ("racing", 32)])
def test_a_product_has_two_factors_and_a_result(kind: str, n: int) -> None:
    assert found(own_kernels.EVERY[kind]) == {"A": ("A", n, n), "B": ("B", n, n), "C": ("C", n, n)}


def test_the_factors_of_one_block_are_told_apart_by_values() -> None:
    turned = Own(own_kernels.ONE_BLOCK.text.replace("$A$[y", "$B$[y").replace("$B$[k", "$A$[k"), (1, 1, 1), (16, 16, 1),
                 own_kernels.ONE_BLOCK.arguments)  # fmt: skip
    assert found(turned) == {"B": ("A", 16, 16), "A": ("B", 16, 16), "C": ("C", 16, 16)}
    zeros = {name: Filled(256, Fill.ZEROS) for name in "ABC"} | {"n": 16}
    assert {letter for letter, _, _ in found(Own(turned.text, (1, 1, 1), (16, 16, 1), zeros)).values()} == {""}


def test_a_product_need_not_be_square() -> None:
    text = own_kernels.NAIVE.text.replace("int $n$", "int $m$, int $n$, int $d$").replace("y < $n$", "y < $m$")
    text = text.replace("k < $n$", "k < $d$").replace("$A$[y * $n$", "$A$[y * $d$")
    arguments: dict[str, Argument] = {"A": full(48 * 24), "B": full(24 * 32), "C": Filled(48 * 32), "m": 48, "n": 32, "d": 24}
    assert found(Own(text, (2, 3, 1), (16, 16, 1), arguments)) == {"A": ("A", 48, 24), "B": ("B", 24, 32), "C": ("C", 48, 32)}


def test_arrays_larger_than_what_is_computed_keep_the_shape_that_is_computed() -> None:
    arguments: dict[str, Argument] = {"A": full(1024), "B": full(1024), "C": Filled(1024), "n": 16}
    assert found(Own(own_kernels.ONE_BLOCK.text, (1, 1, 1), (16, 16, 1), arguments))["C"] == ("C", 16, 16)


def test_a_transpose_is_told_by_values() -> None:
    assert found(own_kernels.TRANSPOSE) == {"A": ("A", 32, 32), "C": ("C", 32, 32)}


@pytest.mark.parametrize(("kind", "shape"), [("matrix sum", (32, 32)), ("stencil", (48, 48))])
def test_rows_that_are_walked_give_the_shape_and_nothing_else(kind: str, shape: tuple[int, int]) -> None:
    assert set(found(own_kernels.EVERY[kind]).values()) == {("", *shape)}


def test_a_vector_that_a_square_block_walks_stays_a_vector() -> None:
    text = "__global__ void k(const float* $x$, float* $y$) { int i = blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x; $y$[i] = $x$[i]; }"
    assert found(Own(text, (4, 1, 1), (16, 16, 1), {"x": full(1024), "y": Filled(1024)})) == {}


def test_columns_that_a_user_said_are_taken() -> None:
    index = own_kernels.ADD.launched()
    assert operands(index.trace, index.record.contents, {0: 64}) == (Operand(0, "", 16, 64),)
