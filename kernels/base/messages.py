"""Texts as values: an English template and its arguments, rendered in the user's language only where they are shown.

`message("{threads} threads a block; this GPU allows {limit}.", threads=4096, limit=1024)` is found by the translation
tools because the first argument of every `message` call is extracted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """Translatable sentence or label. `template` is the English text with `{name}` fields; `arguments` fills them."""

    template: str
    arguments: tuple[tuple[str, str | int | float | Message], ...] = ()

    def __str__(self) -> str:
        """The English text."""
        return self.render(lambda template: template, _plain)

    def render(self, translate: Callable[[str], str], number: Callable[[int | float], str]) -> str:
        """The text in another language: `translate` maps a template, `number` writes a number."""
        filled: dict[str, str] = {}
        for name, value in self.arguments:
            if isinstance(value, Message):
                filled[name] = value.render(translate, number)
            else:
                filled[name] = value if isinstance(value, str) else number(value)
        return _spaced(translate(self.template), filled).format(**filled)


def message(template: str, /, **arguments: str | int | float | Message) -> Message:
    """Make a `Message`; its first argument is what the translation tools extract."""
    return Message(template, tuple(arguments.items()))


class ReasonedError(Exception):
    """Error with its `reason`, in words that are shown as they are."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.reason = reason


_HAN = "[\u4e00-\u9fff]"
_AFTER_HAN = re.compile(rf"(?<={_HAN})\{{(\w+)\}}")
_BEFORE_HAN = re.compile(rf"\{{(\w+)\}}(?={_HAN})")


def _spaced(template: str, filled: Mapping[str, str]) -> str:
    """The template with the spaces that Chinese has beside Latin letters and digits: whether a value is of such is only known now."""
    if not _touches_han(template):
        return template
    template = _AFTER_HAN.sub(lambda field: f" {field[0]}" if _is_latin(filled.get(field[1], "")[:1]) else field[0], template)
    return _BEFORE_HAN.sub(lambda field: f"{field[0]} " if _is_latin(filled.get(field[1], "")[-1:]) else field[0], template)


@lru_cache(maxsize=4096)
def _touches_han(template: str) -> bool:
    return bool(_AFTER_HAN.search(template) or _BEFORE_HAN.search(template))


def _is_latin(sign: str) -> bool:
    return sign.isalnum() and not re.match(_HAN, sign)


def _plain(value: int | float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3g}"
