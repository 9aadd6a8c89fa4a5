"""Why matrices are not drawn as a product, of kernels that nearly are one; nothing is said of those that have nothing of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernels.simt.base.launch import Argument, Fill, Filled
from tests import own_kernels
from tests.own_kernels import NAIVE, ONE_BLOCK, TILED, Own, full

CUT: dict[str, Argument] = {"A": full(1600), "B": full(1600), "C": Filled(1600), "n": 40}


def said(own: Own, names: dict[str, str] | None = None) -> str | None:
    index = own.launched(names)
    return None if index.record.missed is None else str(index.record.missed)


def changed(own: Own, before: str, after: str) -> Own:
    assert before in own.text
    return replace(own, text=own.text.replace(before, after))


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        (replace(TILED, arguments=CUT), "no product: 32 of 40 columns of A are read"),
        (changed(NAIVE, "$A$[y * $n$ + k]", "$A$[k * $n$ + y]"), "no product: A is read by columns"),
        (changed(NAIVE, "$B$[k * $n$ + x]", "$B$[x * $n$ + k]"), "no product: B is read by rows"),
        (changed(NAIVE, "$B$[k * $n$ + x]", "$B$[y * $n$ + k]"), "no product: B is read by rows"),
        (changed(TILED, "$C$[y * $n$ + x]", "$C$[x * $n$ + y]"), "no product: rows and columns of C are exchanged"),
        (changed(ONE_BLOCK, "s += ", "s -= "), "no product: 252 of 256 results differ from A × B"),
    ],
    ids=["rest left out", "A by columns", "B by rows", "B like A", "C exchanged", "other values"],
)
def test_what_is_nearly_a_product_says_by_what_it_is_none(own: Own, reason: str) -> None:
    assert said(own) == reason
    other = {"A": "left", "B": "right", "C": "out"}
    renamed = said(own, other)
    assert renamed is not None
    for letter, name in other.items():
        reason = reason.replace(f" {letter}", f" {name}")
    assert renamed == reason


@pytest.mark.parametrize("kind", own_kernels.EVERY)
def test_what_has_nothing_of_a_product_says_nothing(kind: str) -> None:
    assert said(own_kernels.EVERY[kind]) is None


def test_values_that_tell_nothing_are_not_said_to_differ() -> None:
    zeros: dict[str, Argument] = {**{name: Filled(256, Fill.ZEROS) for name in "ABC"}, "n": 16}
    assert said(replace(ONE_BLOCK, arguments=zeros)) is None
