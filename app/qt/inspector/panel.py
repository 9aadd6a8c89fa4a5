"""Inspector: what the stage is executed with, and what follows from it. It is scrolled, and its content is made when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.core.workbench.workbench import Workbench
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from kernels.base.messages import Message, message

if TYPE_CHECKING:
    from app.qt.inspector.content import InspectorContent
    from app.qt.inspector.parameters import ParameterControl


class InspectorPanel(QWidget):
    """Scrolls the content, which is made when the panel is first shown, or asked for something in it."""

    needs_other = Signal()
    """Another width is its narrowest now."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look, self._workbench = look, workbench
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the field that has the focus
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._area)
        self._content, self._needed = Lazy(self._made_content), 0

    @property
    def content(self) -> InspectorContent:
        """Its sections."""
        return self._content()

    @property
    def parameters(self) -> dict[str, ParameterControl]:
        """The controls of the shown variant's parameters, by name."""
        return self.content.parameters

    def step_tile(self, direction: int) -> Message | None:
        """Pick the next larger (1) or smaller (-1) tile; returns why there is none, where that is not told in sight."""
        session = self._workbench.session
        draft = session.draft_editor.shown
        if draft is not None:
            return message("The tile size of {name} is a value in its text.", name=draft.name)
        if "tile" not in self.parameters:
            return message("{variant} has no tile size.", variant=session.stage.value.variant.title)
        tile = self.parameters["tile"]
        tile.slider.step(direction)
        return None if tile.isVisible() else tile.refused

    def go_to_next_finding(self) -> bool:
        """Go to the step of the next finding; False where there is none."""
        return self.content.findings.go_to_next()

    def setVisible(self, visible: bool) -> None:
        """Show or hide the panel, with its content from the first time on."""
        if visible:
            self._content()
        super().setVisible(visible)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest and self.least != self._needed:
            self._needed = self.least
            self.needs_other.emit()
        return super().eventFilter(watched, event)

    @property
    def least(self) -> int:
        """The narrowest in which nothing in it is cut, whether it is scrolled or not; 0 as long as nothing is in it."""
        content = self._content.made
        if content is None:
            return 0
        margins = self.contentsMargins()
        bar = self._area.verticalScrollBar().sizeHint().width()
        return content.minimumSizeHint().width() + bar + 2 * self._area.frameWidth() + margins.left() + margins.right()

    def _made_content(self) -> InspectorContent:
        from app.qt.inspector.content import InspectorContent

        content = InspectorContent(self._look, self._workbench)
        self._area.setWidget(content)
        content.installEventFilter(self)
        return content
