"""The pages of the help and the glossary: all there in both languages, and found by their words."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from app.cli.base.commands import COMMANDS
from app.core.base.files.fields import BadFile
from app.core.base.i18n import CHINESE, ENGLISH, LANGUAGES
from app.core.help.glossary import COLUMNS, Entry, entry_of, glossary, parsed
from app.core.help.pages import asked, page_ids, pages, read_page, says, table_title, tables_with, words_of

HEAD = f"## GPU\n\n| {' | '.join(COLUMNS)} |\n|---|---|---|---|\n"
TEXT = files("resources").joinpath("help", "glossary.md").read_text(encoding="utf-8")
ENTRIES = [entry for section in glossary() for entry in section.entries]
MOST_PARAGRAPHS = 20


def has_han(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.term)
def test_each_entry_speaks_both_languages(entry: Entry) -> None:
    assert not has_han(entry.meaning.split("(")[0])
    assert has_han(entry.chinese_meaning)
    assert has_han(entry.chinese) or entry.chinese.replace("、", ", ") == entry.term
    assert entry.meaning[-1] == "."
    assert entry.chinese_meaning[-1] == "。"
    assert all(entry_of(name) is not None for name in entry.names)


def test_every_row_of_the_file_is_an_entry() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| Term ")]
    assert len(rows) == len(ENTRIES) > 90
    assert all(str(table_title(section)) == section.title for section in glossary())


@pytest.mark.parametrize("row", ["| a | 甲 |", "| a | 甲 | | 乙。 |", "| a | 甲 | b | c | 乙。 |"])
def test_a_row_without_its_columns_is_refused(row: str) -> None:
    assert parsed(f"{HEAD}| a | 甲 | b \\| c. | 乙。 |")[0].entries == (Entry("a", "甲", "b | c.", "乙。"),)
    assert parsed(f"{HEAD}| a | 甲 | b. |")[0].entries[0].explained(CHINESE) == "b."
    with pytest.raises(ValueError, match="line 5"):
        parsed(HEAD + row)


def test_a_term_that_is_there_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="line 6"):
        parsed(f"{HEAD}| a | 甲 | b. | 乙。 |\n| a | 甲 | c. | 丙。 |")


def test_entries_are_found_by_each_of_their_names() -> None:
    assert entry_of("Occupancy") is entry_of("occupancy") is not None
    for one, other in (("set", "way"), ("multiprocessor", "SM"), ("FMA", "fused multiply-add"), ("replacement", "replacement")):
        assert entry_of(one) is entry_of(other) is not None
    assert entry_of("Strassen") is None


def test_each_page_is_there_in_both_languages_with_the_same_parts() -> None:
    for english, chinese in zip(pages(ENGLISH), pages(CHINESE), strict=True):
        assert english.id == chinese.id
        assert not any(map(has_han, english.texts))
        assert has_han(chinese.title)
        shape = [[each.item for each in part.paragraphs] for part in english.parts]
        assert shape == [[each.item for each in part.paragraphs] for part in chinese.parts]
    assert tuple(page.id for page in pages(ENGLISH)) == page_ids()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_short(language: str) -> None:
    for page in pages(language):
        assert sum(len(part.paragraphs) for part in page.parts) <= MOST_PARAGRAPHS
        assert all(not part.heading or part.paragraphs for part in page.parts)


def test_a_page_without_a_title_is_refused() -> None:
    with pytest.raises(BadFile):
        read_page("a", "words\n\n# Title")


def test_words_are_found_in_any_order_and_case() -> None:
    page = read_page("a", "# Title\n\nOne **Bank** of 32.\n\n## Heading\n\n- `As[0]` is an item.\n")
    assert says(page.texts, asked("of bank"))
    assert says(page.texts, asked("as[0] ITEM"))
    assert not says(page.texts, asked("bank item"))
    assert words_of(page.parts[0].paragraphs[0]) == "One Bank of 32."


@pytest.mark.parametrize(("language", "word"), [("en", "pencil"), ("en", "draw on"), ("zh_CN", "画笔")])
def test_who_looks_for_a_pencil_is_led_to_the_spotlight(language: str, word: str) -> None:
    (found,) = (page for page in pages(language) if says(page.texts, (*asked(word), "spotlight" if language == "en" else "聚光灯")))
    assert found.id == "lessons-and-presenter"


def test_the_glossary_is_found_by_either_language() -> None:
    for words in ("wavefront 128", "波前 128"):
        assert [entry.term for table in tables_with(asked(words)) for entry in table.entries] == ["wavefront"]
    assert tables_with(()) == glossary()
    assert tables_with(asked("no such word")) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_on_the_command_line_has_every_command(language: str) -> None:
    (page,) = (page for page in pages(language) if page.id == "command-line")
    words = set(re.findall(r"tilescope ([a-z-]+)", " ".join(page.texts)))
    assert [command.name for command in COMMANDS if command.name not in words] == []
