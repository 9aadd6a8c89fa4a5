"""Texts as values: an English template and its arguments, rendered in the user's language only where they are shown.

`message("{threads} threads a block; this GPU allows {limit}.", threads=4096, limit=1024)` is found by the translation
tools because the first argument of every `message` call is extracted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One translatable sentence or label. `template` is the English text with `{name}` fields; `arguments` fills them."""

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
        return translate(self.template).format(**filled)


def message(template: str, /, **arguments: str | int | float | Message) -> Message:
    """Make a `Message`; its first argument is what the translation tools extract."""
    return Message(template, tuple(arguments.items()))


def _plain(value: int | float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3g}"
