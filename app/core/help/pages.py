"""The pages of the help: a small part of Markdown, from which nothing but words can come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from app.core.base.i18n import CHINESE, ENGLISH
from app.core.help.glossary import Section as Table
from app.core.help.glossary import glossary
from app.core.lessons.prose import Paragraph, sections, spans
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

ORDER = "order.txt"
"""The ids of the pages, one a line."""
GLOSSARY = "glossary"
_TABLES: dict[str, Message] = {
    "Programs and problems": message("Programs and problems"),
    "Blocking": message("Blocking"),
    "GPU": message("GPU"),
    "CPU": message("CPU"),
    "Threads and ranks": message("Threads and ranks"),
    "Measuring": message("Measuring"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A heading (of the first part: none) with the paragraphs below it."""

    heading: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Page of the help in one language."""

    id: str
    title: str
    parts: tuple[Part, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it says, without marks."""
        paragraphs = (words_of(each) for part in self.parts for each in part.paragraphs)
        return (self.title, *(part.heading for part in self.parts), *paragraphs)


def page_ids() -> tuple[str, ...]:
    """The pages there are, in their order."""
    return tuple(files("resources").joinpath("help", ORDER).read_text(encoding="utf-8").split())


@cache
def pages(language: str) -> tuple[Page, ...]:
    """Return all pages in a language."""
    folder = files("resources").joinpath("help", CHINESE if language == CHINESE else ENGLISH)
    return tuple(read_page(each, folder.joinpath(f"{each}.md").read_text(encoding="utf-8")) for each in page_ids())


def read_page(page_id: str, text: str) -> Page:
    """A page: `# Title`, and `## Heading` for each further part. Raises `BadFile` for a text without a title."""
    first, *others = sections(text)
    (_, _, title, opening) = first
    return Page(page_id, title, (Part("", opening), *(Part(heading, paragraphs) for _, _, heading, paragraphs in others)))


def table_title(table: Table) -> Message:
    """What a table of the glossary is called."""
    return _TABLES[table.title]


def words_of(paragraph: Paragraph) -> str:
    """Return a paragraph's text without marks."""
    return "".join(span.text for span in spans(paragraph.text))


def asked(text: str) -> tuple[str, ...]:
    """Return the words that a typed text looks for."""
    return tuple(text.casefold().split())


def says(texts: Iterable[str], words: Sequence[str]) -> bool:
    """Whether one of the texts holds all words."""
    return any(all(word in text.casefold() for word in words) for text in texts)


def tables_with(words: Sequence[str]) -> tuple[Table, ...]:
    """The glossary, less the entries that do not hold all words in what they say in one language or the other."""
    kept = (
        Table(table.title, tuple(
            each for each in table.entries if says((f"{each.term} {each.chinese} {each.meaning} {each.chinese_meaning}",), words)
        )) for table in glossary()
    )  # fmt: skip
    return tuple(table for table in kept if table.entries)
