"""What a line is called: in charts, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from app.core.curves import Provenance, SeriesKey
from app.core.value_names import value_text
from kernels.messages import Message, message
from kernels.spec import Parameters, Variant

_ALWAYS = ("tile", "threads", "ranks")


def parameter_text(variant: Variant, name: str, value: int) -> Message:
    """A parameter with its value, in lower case: "tile 32"; a value with a name speaks for itself: "kij"."""
    parameter = variant.parameter(name)
    match name:
        case "tile":
            return message("tile {value}", value=value)
        case "threads":
            return message("threads {value}", value=value)
        case "rows":
            return message("block height {value}", value=value)
        case "padding":
            return message("padding {value}", value=value)
        case "edited":
            return message("edited copy")
        case "results":
            return message("{value} × {value} results", value=value)
        case "ranks":
            return message("ranks {value}", value=value)
        case "chunk":
            return message("chunk {value}", value=value)
        case _ if parameter is not None and parameter.names:
            return value_text(parameter, value)
        case _:
            return message("{name} {value}", name=name, value=value)


def settings_of(key: SeriesKey) -> Message | None:
    """What tells lines of one variant on one machine apart."""
    return _joined(_said(key.variant, key.parameters))


def detail_of(key: SeriesKey) -> Message | None:
    """What tells lines of one variant apart: parameters, and where it was not measured here, the machine."""
    parts = _said(key.variant, key.parameters)
    if key.provenance is not Provenance.MEASURED and key.machine:
        parts.append(message("{machine}", machine=key.machine))
    return _joined(parts)


def name_of(variant: Variant, parameters: Parameters) -> Message:
    """The variant with its parameters: "Blocked, tile 64"."""
    return _joined([variant.title, *_said(variant, sorted(parameters.items()))]) or variant.title


def _said(variant: Variant, parameters: Iterable[tuple[str, int]]) -> list[Message]:
    """Tiles, threads, ranks and what has a name always, any other parameter where it is not at its default."""
    return [
        parameter_text(variant, name, value)
        for name, value in parameters
        if name in _ALWAYS or value != variant.defaults.get(name) or variant.written(name, value) != str(value)
    ]


def _joined(parts: list[Message]) -> Message | None:
    return reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), parts) if parts else None
