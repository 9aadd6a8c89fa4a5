"""What a line is called: in charts, tables and sentences."""

from __future__ import annotations

from functools import reduce

from app.core.curves import Provenance, SeriesKey
from kernels.messages import Message, message
from kernels.spec import Parameters, Variant


def parameter_text(name: str, value: int) -> Message:
    """A parameter with its value, in lower case: "tile 32"."""
    match name:
        case "tile":
            return message("tile {value}", value=value)
        case "threads":
            return message("threads {value}", value=value)
        case _:
            return message("{name} {value}", name=name, value=value)


def detail_of(key: SeriesKey) -> Message | None:
    """What tells lines of one variant apart: parameters, and where it was not measured here, the machine."""
    parts = [parameter_text(name, value) for name, value in key.parameters]
    if key.provenance is not Provenance.MEASURED and key.machine:
        parts.append(message("{machine}", machine=key.machine))
    return _joined(parts)


def name_of(variant: Variant, parameters: Parameters) -> Message:
    """The variant with its parameters: "Blocked, tile 64"."""
    parts = [variant.title, *(parameter_text(name, value) for name, value in sorted(parameters.items()))]
    return _joined(parts) or variant.title


def _joined(parts: list[Message]) -> Message | None:
    return reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), parts) if parts else None
