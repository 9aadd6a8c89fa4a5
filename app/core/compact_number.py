"""Large numbers in little room."""

from __future__ import annotations

from app.core.i18n import format_number

_IN_FULL = 1_000_000
_STEPS = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))


def compact(value: int | float) -> str:
    """As `format_number` writes it up to six figures; beyond, three figures and a prefix of the SI: 541 M for 541 065 216."""
    rounded = float(f"{value:.2e}")
    for unit, letter in _STEPS:
        if abs(value) >= _IN_FULL and abs(rounded) >= unit:
            return f"{format_number(value / unit)}\u2009{letter}"
    return format_number(value)
