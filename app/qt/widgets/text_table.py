"""A table of text that can be read, walked through and copied."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.core.base.picture_parts import Table
from app.qt.base.look import Look
from kernels.base.messages import Message, message

Index = QModelIndex | QPersistentModelIndex
ROW = 26


class TextTableModel(QAbstractTableModel):
    """The cells of a `Table` in one language."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._titles: tuple[str, ...] = ()
        self._rows: tuple[tuple[str, ...], ...] = ()

    def show_table(self, table: Table) -> None:
        """Show other rows. Where the shape is the same, what is selected stays selected."""
        titles = tuple(self._said(title) for title in table.titles)
        rows = tuple(tuple(self._said(cell) for cell in row) for row in table.rows)
        if titles == self._titles and len(rows) == len(self._rows):
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(titles) - 1))
            return
        self.beginResetModel()
        self._titles, self._rows = titles, rows
        self.endResetModel()

    def text(self, rows: range, columns: range) -> str:
        """A part of the table with its titles, as lines of fields between tabs."""
        lines = [self._titles, *(self._rows[row] for row in rows)]
        return "\n".join("\t".join(line[column] for column in columns) for line in lines)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._rows[index.row()][index.column()]
        return None

    def _said(self, cell: Message | str) -> str:
        return self._look.text(cell) if isinstance(cell, Message) else cell


class TextTable(QTableView):
    """Shows a `TextTableModel`. Copying takes the selected rectangle, or all where nothing or one cell is selected."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._cells = TextTableModel(look)
        self.setModel(self._cells)
        self.setFont(look.theme.font("small"))
        self.setAccessibleName(look.text(message("Table")))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(look.px(ROW))
        header = self.horizontalHeader()
        header.setFont(look.theme.font("caption"))
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)

    def show_table(self, table: Table) -> None:
        """Show a table in place of the one before."""
        self._cells.show_table(table)

    @property
    def whole(self) -> int:
        """The height in which no row has to be scrolled to."""
        return self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 2 * self.frameWidth()

    def copy(self) -> None:
        """Put the selection on the clipboard, as text with tabs."""
        chosen = self.selectedIndexes()
        rows, columns = range(self._cells.rowCount()), range(self._cells.columnCount())
        if len(chosen) > 1:
            rows = range(min(cell.row() for cell in chosen), max(cell.row() for cell in chosen) + 1)
            columns = range(min(cell.column() for cell in chosen), max(cell.column() for cell in chosen) + 1)
        QGuiApplication.clipboard().setText(self._cells.text(rows, columns))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)
