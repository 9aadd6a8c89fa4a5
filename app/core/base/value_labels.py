"""Labels of values that have names, in the reader's language, beside the name that is typed; moments in the reader's own time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import reduce

from kernels.base.messages import Message, message
from kernels.base.spec import Parameter

_CALLED = {
    "static": message("static"), "dynamic": message("dynamic"), "guided": message("guided"),
    "off": message("off"), "on": message("on"), "padding": message("padding"), "swizzle": message("swizzle"),
}  # fmt: skip
_ZEROS = {
    "tile_rows": message("as columns"), "rows": message("as wide"), "registers": message("no limit"), "chunk": message("auto"),
    "lanes": message("widest"), "mr": message("auto"), "nr": message("auto"),
}  # fmt: skip
"""What 0 stands for, by the identifier of the parameter, where it is no amount."""


def value_text(parameter: Parameter, value: int) -> Message:
    """The value as it is shown; names that are no words, such as those of loop orders, stay as they are."""
    if value == 0 and parameter.name in _ZEROS:
        return _ZEROS[parameter.name]
    typed = parameter.written(value)
    return _CALLED.get(typed, message("{value}", value=typed))


def titled(parameter: Parameter) -> Message:
    """Its title, with what 0 stands for where that is no amount."""
    meaning = _ZEROS.get(parameter.name) if 0 in parameter.stops else None
    return parameter.title if meaning is None else message("{parameter} (0: {meaning})", parameter=parameter.title, meaning=meaning)


def zeros_text(parameters: Iterable[Parameter]) -> Message | None:
    """What 0 stands for in each of them, by its title; None where it is an amount in all."""
    said = [
        message("{parameter} 0: {meaning}", parameter=each.title, meaning=_ZEROS[each.name])
        for each in parameters
        if each.name in _ZEROS and 0 in each.stops
    ]
    return reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), said) if said else None


def moment_text(seconds: float) -> str:
    """When something was, in seconds of the system's clock: of this day the time alone; nothing where that is not known."""
    if not seconds:
        return ""
    then, now = datetime.fromtimestamp(seconds).astimezone(), datetime.now().astimezone()
    return then.strftime("%H:%M" if then.date() == now.date() else "%Y-%m-%d %H:%M")
