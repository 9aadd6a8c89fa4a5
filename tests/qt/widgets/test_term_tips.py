"""Tooltips say what terms mean, in both languages, where titles stand."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.inspector.counter_table import CounterTable, TableRow
from app.qt.inspector.section import Section
from app.qt.widgets.labels import ElidedLabel
from app.qt.widgets.terms import explain, named_tip, term_tip, with_terms
from kernels.base.messages import message
from kernels.catalogue import catalogue

ENGLISH, CHINESE = (Look(theme("light"), Translator(language)) for language in ("en", "zh_CN"))


def test_a_tip_has_term_translation_and_meaning() -> None:
    assert term_tip(ENGLISH, message("Sectors")).startswith("<p><b>sector</b> · 扇区<br>32 aligned bytes")
    assert term_tip(CHINESE, message("Sectors")).startswith("<p><b>扇区</b> · sector<br>对齐的 32 字节")
    assert term_tip(ENGLISH, message("Nothing of the kind")) == ""


@pytest.mark.parametrize("variant", [each for each in catalogue.VARIANTS if each.features], ids=lambda variant: variant.id)
def test_every_idea_of_a_rung_is_explained(variant: object) -> None:
    features = variant.features  # type: ignore[attr-defined]
    assert named_tip(CHINESE, features).count("<b>") == len(features)


def test_a_plain_text_stays_plain_without_terms_and_harmless_with_them() -> None:
    assert with_terms("a < b", "") == "a < b"
    assert with_terms("a < b\nc", "<p>t</p>") == "<p>a &lt; b</p><p>c</p><p>t</p>"


def test_headings_and_shortened_titles_have_them(qtbot: QtBot) -> None:
    section, heading, title = Section(ENGLISH, message("Occupancy, theoretical")), QLabel(), ElidedLabel("Shared memory, of all things")
    for widget in (section, heading, title):
        qtbot.addWidget(widget)
    assert "Resident warps" in section.heading.toolTip()
    explain(heading, ENGLISH, message("Findings"))
    assert "data race" in heading.toolTip()
    title.explain(term_tip(ENGLISH, message("Shared memory")))
    title.resize(400, 20)
    title.show()
    qtbot.waitUntil(lambda: title.toolTip().startswith("<p><b>shared memory"))
    title.resize(40, 20)
    qtbot.waitUntil(lambda: title.toolTip().startswith("<p>Shared memory, of all things</p><p><b>shared memory"))


def test_rows_of_counters_have_them(qtbot: QtBot) -> None:
    table = CounterTable(ENGLISH, (message("as written"), message("predicted"), message("measured")))
    qtbot.addWidget(table)
    table.resize(400, 200)
    table.show_rows((TableRow("Wavefronts", "1", "2", "3", "4 of 5", message("Wavefronts")),))
    row = table.rect().center()
    row.setY(table.heightForWidth(400) - 4)
    assert table._tip(row).startswith("<p>Wavefronts</p><p>4 of 5</p><p><b>wavefront</b>")
    row.setY(2)
    row.setX(399)
    assert "Timed on this machine" in table._tip(row)
