"""Parts of stock widgets are seen in every theme: the slider, icons of what cannot be pressed, the focus of what is pressed first."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSlider,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from app.qt.base.style import palette, style_sheet
from app.qt.base.theme import theme
from app.qt.widgets.labels import mark_refused
from kernels.base.messages import message

THEMES = ("light", "dark", "contrast-light", "contrast-dark")
LEAST = 3.0
"""The contrast that parts of controls need."""


def _luminance(colour: QColor) -> float:
    shades = (colour.redF(), colour.greenF(), colour.blueF())
    parts = [float(shade / 12.92 if shade <= 0.04045 else ((shade + 0.055) / 1.055) ** 2.4) for shade in shades]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one: QColor, other: QColor) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def row_of(qtbot: QtBot, name: str, part: QWidget, scale: float = 1.0) -> QWidget:
    """A part on a panel in a theme, `scale` times as large."""
    row = QWidget()
    qtbot.addWidget(row)
    row.setProperty("surface", "panel")
    row.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row.setPalette(palette(theme(name)))
    row.setStyleSheet(style_sheet(theme(name, scale)))
    QHBoxLayout(row).addWidget(part)
    row.resize(200, 60)
    return row


def seen(image: QImage, area: QRect, ground: QColor) -> float:
    """The share of the area that stands out from its ground."""
    spots = [(x, y) for x in range(area.left(), area.right() + 1) for y in range(area.top(), area.bottom() + 1)]
    return sum(contrast(image.pixelColor(x, y), ground) >= LEAST for x, y in spots) / len(spots)


@pytest.mark.parametrize("name", THEMES)
def test_groove_and_handle_of_a_slider_are_seen(qtbot: QtBot, name: str) -> None:
    slider = QSlider(Qt.Orientation.Horizontal)
    row = row_of(qtbot, name, slider)
    slider.setRange(0, 4)
    slider.setValue(2)
    row.show()
    area = slider.geometry()
    middle = QRect(area.left() + 10, area.center().y() - 1, area.width() - 20, 3)
    assert seen(row.grab().toImage(), middle, theme(name).bg1) > 0.8


@pytest.mark.parametrize("name", THEMES)
def test_the_icon_of_what_cannot_be_pressed_is_seen(qtbot: QtBot, name: str) -> None:
    look = Look(theme(name), Translator("en"))
    button = QPushButton()
    button.setProperty("primary", "true")
    button.setIcon(look.icon("play", look.theme.ink_text))
    button.setEnabled(False)
    row = row_of(qtbot, name, button)
    row.show()
    middle = QRect(0, 0, 16, 16)
    middle.moveCenter(button.geometry().center())
    assert seen(row.grab().toImage(), middle, look.theme.bg3) > 0.1


@pytest.mark.parametrize("name", THEMES)
def test_what_is_pressed_first_has_one_frame_when_it_has_the_focus(qtbot: QtBot, name: str) -> None:
    button = QPushButton()
    button.setProperty("primary", "true")
    row = row_of(qtbot, name, button)
    row.show()
    row.activateWindow()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    row.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    qtbot.waitUntil(button.hasFocus)
    image, middle = row.grab().toImage(), button.geometry().center()
    from_above = [image.pixelColor(middle.x(), y) for y in range(button.geometry().top(), middle.y())]
    groups = [QColor(colour) for colour, _ in itertools.groupby(from_above, key=QColor.name)]
    ink, ground = theme(name).ink, theme(name).bg1
    assert groups == [ink, ground, ink]  # a ring, a gap, and the button


@pytest.mark.parametrize("name", THEMES)
def test_the_buttons_of_a_file_dialog_have_room_for_their_icons(qtbot: QtBot, name: str) -> None:
    dialog = QFileDialog()
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setStyleSheet(style_sheet(theme(name)))
    dialog.show()
    buttons = [each for each in dialog.findChildren(QToolButton) if each.isVisible() and not each.icon().isNull()]
    assert buttons
    for button in buttons:
        option = QStyleOptionToolButton()
        button.initStyleOption(option)
        room = button.style().subControlRect(QStyle.ComplexControl.CC_ToolButton, option, QStyle.SubControl.SC_ToolButton, button)
        inside = button.style().sizeFromContents(QStyle.ContentsType.CT_ToolButton, option, QSize(16, 16), button)
        assert inside.width() <= room.width(), button.objectName()
        assert inside.height() <= room.height(), button.objectName()


@pytest.mark.parametrize("scale", [1.0, 1.1, 1.25, 1.5, 1.75, 2.0])
def test_the_handle_of_a_slider_is_round_and_whole_at_every_zoom(qtbot: QtBot, scale: float) -> None:
    slider = QSlider(Qt.Orientation.Horizontal)
    row = row_of(qtbot, "light", slider, scale)
    slider.setRange(0, 4)
    slider.setValue(2)
    row.show()
    image, ink, ground = slider.grab().toImage(), theme("light").ink, theme("light").bg1
    edge = [(x, y) for x in range(image.width()) for y in range(image.height()) if contrast(image.pixelColor(x, y), ink) < 1.5]
    left, right = min(x for x, _ in edge), max(x for x, _ in edge)
    top, bottom = min(y for _, y in edge), max(y for _, y in edge)
    assert 0 < top < bottom < image.height() - 1
    assert bottom - top >= right - left
    for x, y in itertools.product((left, right), (top, bottom)):
        assert contrast(image.pixelColor(x, y), ground) < LEAST
    assert {y for x, y in edge if x == (left + right) // 2} >= {top, bottom}


def test_a_refused_field_shows_whether_it_has_the_focus(qtbot: QtBot) -> None:
    field, other = QLineEdit(), QLineEdit()
    row = row_of(qtbot, "light", field)
    row_layout = row.layout()
    assert row_layout is not None
    row_layout.addWidget(other)
    mark_refused(field, Look(theme("light"), Translator("en")), message("Write a number first."))
    row.show()
    row.activateWindow()
    bad = theme("light").bad
    widths = []
    for focused in (other, field):
        focused.setFocus()
        qtbot.waitUntil(focused.hasFocus)
        image = field.grab().toImage()
        widths.append(sum(contrast(image.pixelColor(x, image.height() // 2), bad) < 1.2 for x in range(6)))
    assert 0 < widths[0] < widths[1]
