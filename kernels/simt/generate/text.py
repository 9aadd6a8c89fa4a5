"""Places as one writes them, for what the trace and the findings say."""

from __future__ import annotations

from kernels.simt import ir


def place_text(place: ir.Place) -> str:
    """As written in the text where that is known, else made from the parts."""
    match place:
        case ir.Whole():
            return place.variable.name
        case ir.Element():
            return place.text or f"{place_text(place.array)}[...]"
        case ir.Member():
            return place.text or f"{place_text(place.record)}.{place.field.name}"
    return place.text or "*" + (_pointer_text(place.pointer) or "...")


def _pointer_text(pointer: ir.Expression) -> str:
    match pointer:
        case ir.Load():
            return place_text(pointer.place)
        case ir.Offset():
            return f"({_pointer_text(pointer.pointer)} + ...)"
    return ""
