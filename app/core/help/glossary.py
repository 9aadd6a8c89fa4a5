"""Glossary, read from `resources/help/glossary.md`: one word for one thing in both languages, and which terms a text speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from app.core.base.i18n import CHINESE
from kernels.base.messages import Message
from kernels.base.values import dataclass

COLUMNS = ("Term", "中文", "Meaning", "含义")
_CELL = re.compile(r"(?<!\\)\|")
_BEGIN = re.compile(r"(?<![\w-])")
_END = re.compile(r"(?:e?s)?(?![\w-])")
"""Of a term in the singular or the plural."""
_OTHER_NAME = re.compile(r"\s*\((.*)\)$")


@dataclass(frozen=True, slots=True)
class GlossarySection:
    """Section of the glossary, by what its terms are about."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A term, the Chinese for it, and what it means in English and in Chinese ("": nobody has said it yet)."""

    term: str
    chinese: str
    meaning: str
    chinese_meaning: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What the term is called in English: each of several, and a name in parentheses besides."""
        other = _OTHER_NAME.search(self.term)
        names = _OTHER_NAME.sub("", self.term).partition(":")[0].split(", ")
        return (*names, other[1]) if other else tuple(names)

    def explained(self, language: str) -> str:
        """The meaning in a language."""
        return (self.chinese_meaning or self.meaning) if language == CHINESE else self.meaning

    def named(self, language: str) -> tuple[str, str]:
        """The term in a language, and in the other one."""
        return (self.chinese, self.term) if language == CHINESE else (self.term, self.chinese)


def parsed(text: str) -> tuple[GlossarySection, ...]:
    """The tables of a glossary; the last column may be missing. Raises ValueError for other rows, and for a term given twice."""
    sections: list[tuple[str, list[Entry]]] = []
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("## "):
            sections.append((line.removeprefix("## "), []))
        elif line.startswith("|") and not line.startswith("|-"):
            cells = tuple(cell.strip().replace("\\|", "|") for cell in _CELL.split(line)[1:-1])
            if cells == COLUMNS:
                continue
            if len(cells) not in (3, len(COLUMNS)) or not all(cells[:3]) or not sections or cells[0] in seen:
                raise ValueError(f"line {number} of the glossary: {line}")
            seen.add(cells[0])
            sections[-1][1].append(Entry(*cells))
    return tuple(GlossarySection(title, tuple(entries)) for title, entries in sections)


@cache
def glossary() -> tuple[GlossarySection, ...]:
    """Return the program's own glossary."""
    return parsed(files("resources").joinpath("help", "glossary.md").read_text(encoding="utf-8"))


@cache
def _by_name() -> dict[str, Entry]:
    return {name.lower(): entry for section in glossary() for entry in section.entries for name in entry.names}


def entry_of(name: str) -> Entry | None:
    """The entry of an English term, singular and in any case; None where the glossary does not have it."""
    return _by_name().get(name.lower())


EVERYDAY = frozenset({"claim", "lesson", "operation", "problem", "scene", "set", "stage", "state", "step", "stop", "way"})
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
    """Longer names first: where a bank conflict is meant, no bank is. One pattern of all names would take 13 ms to compile."""
    text, end = re.sub(r"\{[^}]*\}", " ", template).lower(), 0
    names = sorted((name for name in _named() if name in text), key=len, reverse=True)
    found: list[Entry] = []
    for start in (word.start() for word in _BEGIN.finditer(text)) if names else ():
        ends = ((name, _END.match(text, start + len(name))) for name in names if start >= end and text.startswith(name, start))
        name, ending = next(((name, ending) for name, ending in ends if ending is not None), ("", None))
        if ending is not None:
            end = ending.end()
            found.append(_named()[name])
    return tuple(found)


@cache
def _named() -> dict[str, Entry]:
    entries = (entry for section in glossary() for entry in section.entries)
    return {name.lower(): entry for entry in entries for name in entry.names if name.lower() not in EVERYDAY}
