"""The sentences about a schedule."""

from __future__ import annotations

from app.core.execution.schedule_sentences import lanes_text


def test_lanes_are_told_as_ranges() -> None:
    assert [lanes_text(bits) for bits in (1, 0xFFFF, 0xFFFF0001, 0b1010)] == ["0", "0-15", "0, 16-31", "1, 3"]
