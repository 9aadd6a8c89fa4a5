"""The look of stock widgets: a palette and a style sheet, both made from the theme's tokens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from string import Template

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.qt.base.theme import Theme

_SHEET = Template("""
QWidget { color: $t1; }
QMainWindow, QDialog { background: $bg0; }
QToolTip { background: $bg1; color: $t1; border: 1px solid $line2; padding: 4px 6px; }
*[surface="panel"] { background: $bg1; }
*[surface="canvas"] { background: $bg2; }
*[rank="2"] { color: $t2; }
*[rank="3"] { color: $t3; }
*[tone="bad"] { color: $bad; }
*[rule="bottom"] { border: 0; border-bottom: 1px solid $line; }
*[rule="top"] { border: 0; border-top: 1px solid $line; }
*[rule="right"] { border: 0; border-right: 1px solid $line; }
*[rule="left"] { border: 0; border-left: 1px solid $line; }
QSplitter::handle { background: $line; }
QToolButton, QPushButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 4px 10px; }
QFileDialog QToolButton { padding: 2px; }
QToolButton:hover, QPushButton:hover { background: $bg3; }
QToolButton:checked { background: $bg1; border-color: $line2; font-weight: 600; }
QToolButton:focus, QPushButton:focus, QLineEdit:focus, QComboBox:focus { border: 2px solid $ink; }
QToolButton:disabled, QPushButton:disabled, QComboBox:disabled { color: $t3; }
QFrame#overlay { background: $bg1; border: 1px solid $line2; border-radius: 8px; }
QCheckBox { min-height: ${target}px; border: 2px solid transparent; border-radius: 4px; }
QCheckBox:focus { border-color: $ink; }
QCheckBox::indicator { width: ${tick}px; height: ${tick}px; }
QSlider { border: 2px solid transparent; border-radius: 6px; min-height: ${slider}px; }
QSlider:focus { border-color: $ink; }
QSlider::groove:horizontal { background: $line2; height: ${groove}px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $now; border-radius: 2px; }
QSlider::handle:horizontal { background: $bg1; border: 2px solid $ink; border-radius: ${corner}px;
    width: ${handle}px; margin: -${round}px 0; }
QToolButton::menu-indicator { image: none; }
QPushButton { background: $bg1; border-color: $line2; icon-size: ${icon}px; }
QPushButton[primary="true"] { background: $ink; color: $ink_text; border-color: $ink; font-weight: 600; }
QPushButton[primary="true"]:focus { border: 2px solid $ink; padding: 3px 9px; background-clip: padding; outline: 0; }
QPushButton[primary="true"]:disabled { background: $bg3; color: $t3; border-color: $line; }
QFrame[segmented="true"] { background: $bg3; border-radius: 8px; }
QLineEdit, QComboBox { background: $bg1; border: 1px solid $line2; border-radius: 6px; padding: 3px 8px;
    selection-background-color: $now_bg; selection-color: $t1; }
QPushButton:disabled, QComboBox:disabled { border-style: dashed; }
QLineEdit[narrow="true"] { padding: 3px 4px; }
QLineEdit[invalid="true"] { border-color: $bad; }
QLineEdit[invalid="true"]:focus { border: 2px solid $bad; }
QComboBox QAbstractItemView { background: $bg1; selection-background-color: $bg3; selection-color: $t1; border: 1px solid $line2; }
QListWidget { background: $bg1; border: 2px solid $bg1; }
QListWidget:focus { border-color: $ink; }
QListWidget::item { color: $t1; border-radius: 4px; padding: 5px 8px; }
QListWidget::item:selected { background: $bg3; }
QTextBrowser { background: $bg1; border: 2px solid $bg1; selection-background-color: $now_bg; selection-color: $t1; }
QTextBrowser:focus { border-color: $ink; }
QMenu { background: $bg1; border: 1px solid $line2; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: $bg3; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QPlainTextEdit { background: $bg1; border: 2px solid $bg1; selection-background-color: $now_bg; selection-color: $t1; }
QPlainTextEdit:focus, QTableView:focus, QScrollArea:focus { border: 2px solid $ink; }
QTableView { background: $bg1; border: 2px solid $bg1; gridline-color: $line; selection-background-color: $bg3; selection-color: $t1; }
QHeaderView::section { background: $bg1; color: $t3; border: 0; border-bottom: 1px solid $line; padding: 3px 6px; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: 0; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line2; border-radius: 3px; min-height: 24px; min-width: 24px; margin: 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: $bg3; border: 0; border-radius: 3px; }
QProgressBar::chunk { background: $ink; border-radius: 3px; }
""")


_FRAME = 2
"""Of the handle of a slider, in pixels."""
_LENGTHS = {"target": 24, "tick": 14, "icon": 16, "groove": 4, "handle": 8, "round": 6}
"""Pixels at zoom 100 % of what grows with the type: what is pressed, the boxes to tick, icons beside words, the parts of a slider."""


def style_sheet(theme: Theme) -> str:
    """The application's style sheet in the theme's colours, as large as its type."""
    tokens = (name for name in theme.__dataclass_fields__ if isinstance(getattr(theme, name), QColor))
    colours = {name: getattr(theme, name).name() for name in tokens}
    lengths = {name: round(length * theme.scale) for name, length in _LENGTHS.items()}
    lengths["slider"] = lengths["groove"] + 2 * lengths["round"]
    lengths["corner"] = lengths["handle"] // 2 + _FRAME  # a wider one would not be drawn at all
    return _SHEET.substitute(colours | {name: str(length) for name, length in lengths.items()})


def palette(theme: Theme) -> QPalette:
    """The palette for what the style sheet does not reach."""
    roles: dict[QPalette.ColorRole, QColor] = {
        QPalette.ColorRole.Window: theme.bg0,
        QPalette.ColorRole.WindowText: theme.t1,
        QPalette.ColorRole.Base: theme.bg1,
        QPalette.ColorRole.AlternateBase: theme.bg2,
        QPalette.ColorRole.Text: theme.t1,
        QPalette.ColorRole.PlaceholderText: theme.t3,
        QPalette.ColorRole.Button: theme.bg1,
        QPalette.ColorRole.ButtonText: theme.t1,
        QPalette.ColorRole.ToolTipBase: theme.bg1,
        QPalette.ColorRole.ToolTipText: theme.t1,
        QPalette.ColorRole.Highlight: theme.now,
        QPalette.ColorRole.HighlightedText: theme.ink_text,
        QPalette.ColorRole.Link: theme.now_text,
    }
    result = QPalette()
    for role, colour in roles.items():
        result.setColor(role, colour)
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, theme.t3)
    return result


def tick_box_palette(theme: Theme) -> QPalette:
    """The palette of boxes to tick. Fusion draws their edge 1.4 times as dark as the window: on a dark one nobody would see it."""
    result = palette(theme)
    result.setColor(QPalette.ColorRole.Window, theme.line2.lighter(140))
    return result


@contextmanager
def unstyled() -> Iterator[None]:
    """Take the style sheet off meanwhile: with one Qt styles each panel anew whenever it is put into another."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    sheet = application.styleSheet()
    application.setStyleSheet("")
    try:
        yield
    finally:
        application.setStyleSheet(sheet)
