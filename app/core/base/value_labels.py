"""Labels of values that have names: in the reader's language, beside the name that is typed."""

from __future__ import annotations

from kernels.base.messages import Message, message
from kernels.base.spec import Parameter

_CALLED = {
    "static": message("static"), "dynamic": message("dynamic"), "guided": message("guided"),
    "off": message("off"), "on": message("on"),
}  # fmt: skip


def value_text(parameter: Parameter, value: int) -> Message:
    """The value as it is shown; names that are no words, such as those of loop orders, stay as they are."""
    typed = parameter.written(value)
    return _CALLED.get(typed, message("{value}", value=typed))
