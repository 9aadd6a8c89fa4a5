"""The committed catalogues have every text of the source, translated for certain and with the same fields."""

from __future__ import annotations

import re
import string

import catalogues
import pytest
from babel.messages.catalog import Catalog


def fields(text: str) -> list[str]:
    """The `{fields}` of a template, in alphabetical order."""
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def faults(source: Catalog, translated: Catalog) -> dict[str, str]:
    """Text -> what is wrong with its translation."""
    found: dict[str, str] = {}
    for entry in source:
        text = str(entry.id)
        translation = translated.get(text)
        if not text:
            continue
        if translation is None or not translation.string:
            found[text] = "not translated"
        elif translation.fuzzy:
            found[text] = "fuzzy"
        elif fields(str(translation.string)) != fields(text):
            found[text] = f"other fields: {translation.string}"
    return found


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_every_text_of_the_source_is_translated(language: str) -> None:
    assert faults(catalogues.extract(), catalogues.read(language)) == {}


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_no_translation_is_left_over(language: str) -> None:
    source = {entry.id for entry in catalogues.extract()}
    assert {entry.id for entry in catalogues.read(language)} <= source


def test_chinese_has_a_space_beside_latin_letters_and_digits() -> None:
    han, latin = "[\u4e00-\u9fff]", "[A-Za-z0-9]"
    tight = re.compile(f"{han}{latin}|{latin}{han}|{han} {han}")
    translations = [str(entry.string) for entry in catalogues.read("zh_CN")]
    assert [text for text in translations if tight.search(text)] == []
    assert tight.search("必须是absolute_error")


def test_lessons_and_challenges_write_numbers_and_tiles_as_the_program_does() -> None:
    """A thousand has no comma; what is copied in pairs are tiles, which 块 alone may mean only where no block of threads is meant."""
    wrong = re.compile(r"\d,\d{3}(?!\d)|对块|两个块|完块")
    texts = [path for kind in ("lessons", "challenges") for path in (catalogues.ROOT / "resources" / kind).glob("*/*.md")]
    assert len(texts) > 100
    assert [(path.parent.name, found[0]) for path in texts for found in wrong.finditer(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_a_percent_sign_is_text(language: str) -> None:
    assert "python-format" not in catalogues.catalogue_file(language).read_text(encoding="utf-8")


def test_the_source_has_texts() -> None:
    assert "Tile size" in {entry.id for entry in catalogues.extract()}


def test_a_text_inside_another_texts_field_or_an_f_string_is_a_text() -> None:
    source = 'told = message("{told}.", told=beside(message("sectors"), 2))\nprint(f"{text(message(\'one\' \'two\'))}", message(other))\n'
    assert catalogues.texts(source) == ["{told}.", "sectors", "onetwo"]


def test_each_fault_is_found() -> None:
    source, translated = Catalog(), Catalog(locale="zh_CN")
    for text in ("good {n}", "missing", "empty", "guessed", "renamed {n}", "dropped {n}"):
        source.add(text)
    translated.add("good {n}", "好 {n}")
    translated.add("empty", "")
    translated.add("guessed", "猜", flags=["fuzzy"])
    translated.add("renamed {n}", "改 {m}")
    translated.add("dropped {n}", "丢")
    found = faults(source, translated)
    assert {text: fault.partition(":")[0] for text, fault in found.items()} == {
        "missing": "not translated",
        "empty": "not translated",
        "guessed": "fuzzy",
        "renamed {n}": "other fields",
        "dropped {n}": "other fields",
    }
