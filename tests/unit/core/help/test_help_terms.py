"""Titles are explained by the terms of the glossary that they speak of."""

from __future__ import annotations

import pytest

from app.core.help.glossary import EVERYDAY, terms_in
from kernels.base.messages import message


@pytest.mark.parametrize(
    ("said", "terms"),
    [
        ("Bank conflicts", ["bank conflict"]),
        ("Sectors a request", ["sector", "request"]),
        ("Hit rate", ["hit, miss"]),
        ("Tile size", ["tile size"]),
        ("Caches", []),
        ("Unrolled stops of the stage", []),
        ("{bank} of {sector}", []),
        ("OCCUPANCY, theoretical", ["occupancy"]),
        ("Wavefronts, wavefronts", ["wavefront"]),
        ("pretiled tiles-and", []),
    ],
)
def test_terms_are_found_as_whole_words_in_any_number(said: str, terms: list[str]) -> None:
    assert [entry.term for entry in terms_in(message(said))] == terms


def test_terms_of_a_text_within_a_text_are_found_too() -> None:
    assert [each.term for each in terms_in(message("{title}, so far", title=message("Sectors")))] == ["sector"]
    assert terms_in(message("{title}", title="Sectors")) == ()


def test_everyday_words_are_terms() -> None:
    from app.core.help.glossary import entry_of

    assert all(entry_of(word) is not None for word in EVERYDAY)
