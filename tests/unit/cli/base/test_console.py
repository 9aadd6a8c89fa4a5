"""Tables with straight columns in a terminal, whatever the script."""

from __future__ import annotations

from app.cli.base.console import aligned, display_width


def test_han_characters_and_full_width_punctuation_take_two_columns() -> None:
    assert display_width("tile") == 4
    assert display_width("分块") == 4
    assert display_width("（a）") == 5
    assert display_width("e\u0301") == 1


def test_columns_begin_at_the_same_place() -> None:
    assert aligned([("分块大小", "a"), ("tile", "b"), ("x", "")]) == ["分块大小  a", "tile      b", "x"]
