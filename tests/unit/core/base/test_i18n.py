"""The language that is chosen, and how texts and numbers are written in it."""

from __future__ import annotations

import gettext
import io
import unicodedata
from importlib.resources import files

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from app.core.base.i18n import (
    Translator,
    choose_language,
    compact,
    format_number,
    load_catalogue,
    missing_catalogue,
    parse_language,
    plain_text,
)
from kernels.base.messages import Message, message


def catalogue(**texts: str) -> gettext.GNUTranslations:
    source = Catalog(locale="zh_CN", charset="utf-8")
    for key, translation in texts.items():
        source.add(key.replace("_", " "), translation)
    compiled = io.BytesIO()
    write_mo(compiled, source)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def test_a_message_is_written_in_the_translators_language() -> None:
    translator = Translator("zh_CN", catalogue(**{"{n} threads": "{n} 个线程"}))
    assert translator.text(message("{n} threads", n=16384)) == "16\u202f384 个线程"
    assert translator.language == "zh_CN"


def test_a_large_number_is_not_divided_between_two_lines() -> None:
    text = format_number(65_536)
    assert unicodedata.decomposition(text[2]).startswith("<noBreak>")
    assert compact(541_065_216) == "541\u202fM"


@pytest.mark.parametrize(
    ("written", "copied"),
    [
        ("12\u202f345 and 1\u202f048\u202f576", "12345 and 1048576"),
        ("33.4 GFLOP/\u2060s, 541\u202fM", "33.4 GFLOP/s, 541 M"),
        ("90\u00a0%", "90\u00a0%"),
        ("\u22121\u202f024 is A \u2212 B", "-1024 is A \u2212 B"),
    ],
)
def test_a_text_for_other_programs_has_numbers_in_one_piece_and_nothing_that_is_not_seen(written: str, copied: str) -> None:
    assert plain_text(written) == copied


def test_a_message_inside_a_message_is_translated_too() -> None:
    translator = Translator("zh_CN", catalogue(**{"{what} is missing": "缺少 {what}", "memory": "内存"}))
    assert translator.text(message("{what} is missing", what=message("memory"))) == "缺少 内存"


@pytest.mark.parametrize(("what", "said"), [
    ("absolute_error", "必须是 absolute_error 才行"), ("12", "必须是 12 才行"), ("一个数", "必须是一个数才行"),
    ("n 为 3", "必须是 n 为 3 才行"), ("“x”", "必须是“x”才行"), ("", "必须是才行"), ("差 10⁻³", "必须是差 10⁻³ 才行"),
])  # fmt: skip
def test_chinese_has_a_space_beside_what_is_filled_in_in_latin_letters(what: str, said: str) -> None:
    translator = Translator("zh_CN", catalogue(**{"must be {what}": "必须是{what}才行"}))
    assert translator.text(message("must be {what}", what=what)) == said


def test_english_is_filled_in_as_it_stands() -> None:
    assert str(message("{count}x {what}of", count=2, what="分块")) == "2x 分块of"


def test_a_text_that_the_catalogue_lacks_stays_english() -> None:
    assert Translator("zh_CN", catalogue()).text(message("Not {n} there", n=1)) == "Not 1 there"


def test_the_empty_text_is_not_the_catalogues_header() -> None:
    assert Translator("zh_CN", catalogue(a="b")).text(Message("")) == ""


def test_a_language_without_a_catalogue_reads_english() -> None:
    assert Translator("tlh", load_catalogue("tlh")).text(message("Tile size")) == "Tile size"


def test_what_makes_a_missing_catalogue_is_named() -> None:
    assert missing_catalogue("en") is None
    assert "python3 packaging/dev.py translate compile" in str(missing_catalogue("tlh"))


def test_the_installed_chinese_catalogue_is_used() -> None:
    if not files("resources").joinpath("i18n/zh_CN/LC_MESSAGES/tilescope.mo").is_file():
        pytest.skip("the catalogue has not been compiled")
    assert Translator("zh_CN").text(message("Tile size")) == "分块大小"
    assert missing_catalogue("zh_CN") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (9999, "9999"),
        (10_000, "10\u202f000"),
        (1_048_576, "1\u202f048\u202f576"),
        (-3, "\u22123"),
        (0.0, "0"),
        (0.00123456, "0.00123"),
        (1.0, "1.00"),
        (12.34, "12.3"),
        (99.94, "99.9"),
        (99.96, "100"),
        (123.4, "123"),
        (9999.6, "10\u202f000"),
        (-2.5, "\u22122.50"),
        (1.2345e-7, "1.23 × 10⁻⁷"),
        (9.996e-4, "1.00 × 10⁻³"),
        (5e12, "5.00 × 10¹²"),
        (float("inf"), "∞"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_have_thin_spaces_three_figures_and_a_real_minus(value: float, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("name", "language"),
    [("en", "en"), ("en_GB.UTF-8", "en"), ("zh_CN", "zh_CN"), ("zh-Hans", "zh_CN"), ("zh_TW", "zh_CN"), ("ZH", "zh_CN")],
)
def test_a_language_is_known_by_its_many_names(name: str, language: str) -> None:
    assert parse_language("--lang", name) == language


@pytest.mark.parametrize("name", ["", "de", "zhongwen", "english", "_"])
def test_an_unknown_language_is_refused_with_the_choices(name: str) -> None:
    reason = parse_language("--lang", name)
    assert isinstance(reason, Message)
    assert str(reason) == f"--lang: '{name}' is not one of en, zh_CN."


@pytest.mark.parametrize(
    ("requested", "environment", "system", "language"),
    [
        ("en", {"LANG": "zh_CN.UTF-8"}, (), "en"),
        (None, {"LANG": "zh_CN.UTF-8"}, (), "zh_CN"),
        (None, {"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, (), "en"),
        (None, {"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_Hans_CN"}, (), "zh_CN"),
        (None, {"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh_CN:en"}, (), "zh_CN"),
        (None, {"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"}, ("zh_CN",), "en"),
        (None, {"LANG": "", "LC_ALL": ""}, ("zh-Hans-CN", "en-US"), "zh_CN"),
        (None, {"LANG": "fr_FR.UTF-8"}, (), "en"),
        (None, {}, (), "en"),
        ("tlh", {"LANG": "zh_CN"}, (), "zh_CN"),
    ],
)
def test_the_first_known_wish_decides(requested: str | None, environment: dict[str, str], system: tuple[str, ...], language: str) -> None:
    assert choose_language(requested, environment, system) == language
