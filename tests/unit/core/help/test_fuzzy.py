"""What was typed finds the names that a person would expect, with a slip of the finger too."""

from __future__ import annotations

import pytest

from app.core.help.fuzzy import mistyped, rank


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("tile", "Tile size"), ("size", "Tile size"), ("TILE SIZE", "Tile size"), ("size tile", "Tile size"), ("thme", "Theme: Dark"),
        ("teh", "The end"), ("ts", "Tile size"), ("分块", "分块大小"), ("trnaspose", "Transpose"), ("gpu.ti", "gpu.tiled"),
    ],
)  # fmt: skip
def test_a_name_is_found(typed: str, name: str) -> None:
    if typed == "teh":  # three letters are too few for one of them to be wrong
        assert rank(typed, [name]) is None
    else:
        assert rank(typed, [name]) is not None


@pytest.mark.parametrize(("typed", "name"), [("swizzle", "Tile size"), ("tile banks", "Tile size"), ("xile", "Theme")])
def test_another_name_is_not(typed: str, name: str) -> None:
    assert rank(typed, [name]) is None


def test_what_begins_so_comes_before_what_holds_it_and_a_short_name_before_a_long_one() -> None:
    names = ["Reduced tiles", "Tiled, padded", "Tiled", "A smaller tile"]
    ranked = sorted(names, key=lambda name: rank("tile", [name]) or 0.0)
    assert ranked == ["Tiled", "Tiled, padded", "Reduced tiles", "A smaller tile"]


def test_a_name_that_has_all_words_whole_comes_first() -> None:
    whole, parts = rank("no gpu", ["When there is no GPU"]), rank("no gpu", ["gpu.asynchronous"])
    assert whole is not None
    assert parts is not None
    assert whole + 0.5 < parts


def test_nothing_typed_finds_everything_and_no_name_finds_nothing() -> None:
    assert rank("", ["Tile size"]) is not None
    assert rank("tile", []) is None
    assert rank("tile", [""]) is None


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [("them", "theme", True), ("theme", "them", True), ("tehme", "theme", True), ("thene", "theme", True), ("tmehe", "theme", False)],
)
def test_one_slip_is_forgiven(one: str, other: str, near: bool) -> None:
    assert mistyped(one, other) is near
