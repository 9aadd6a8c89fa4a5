"""Which terms of the glossary a text of the program speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from app.core.help.glossary import Entry, glossary
from kernels.messages import Message

EVERYDAY = frozenset({"claim", "fact", "lesson", "operation", "problem", "scene", "set", "stage", "state", "step", "stop", "way"})
"""Terms that titles also use in their plain sense: they are explained where they are asked for by name only."""


def terms_in(said: Message) -> tuple[Entry, ...]:
    """The entries whose English names stand in a text's template, or in a text within it: "Bank conflicts" speaks of a bank conflict."""
    return tuple(dict.fromkeys(entry for template in _templates(said) for entry in _found(template)))


def _templates(said: Message) -> Iterator[str]:
    yield said.template
    for _, value in said.arguments:
        if isinstance(value, Message):
            yield from _templates(value)


@cache
def _found(template: str) -> tuple[Entry, ...]:
    words = re.sub(r"\{[^}]*\}", " ", template)
    return tuple(_named()[match[1].lower()] for match in _pattern().finditer(words))


@cache
def _named() -> dict[str, Entry]:
    entries = (entry for section in glossary() for entry in section.entries)
    return {name.lower(): entry for entry in entries for name in entry.names if name.lower() not in EVERYDAY}


@cache
def _pattern() -> re.Pattern[str]:
    """Longer names first: where a bank conflict is meant, no bank is."""
    names = sorted(_named(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?:e?s)?(?![\w-])", re.IGNORECASE)
