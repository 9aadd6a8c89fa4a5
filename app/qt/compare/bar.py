"""The part of the stage's header that begins and ends a comparison, and chooses the view of both sides; and why there is none."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from app.core.compare.comparison import NOTHING_SHOWN, ONLY_LAUNCHES, Comparison, Offer, offer_for, take_offer
from app.core.compare.pairing import Pair
from app.core.frames.views import View
from app.core.gpu_view.shown_views import offers, title_of
from app.core.session.session import Session
from app.core.stage.model import Shown
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.segmented import Segmented
from kernels.base.messages import Message, message

COMPARE = message("Compare with another rung or other settings")
PIN = message("Pin this launch, and compare it with another rung or other settings (P)")

_NAMED, _CHOSEN_NAMED, _NUMBERED = range(3)
_FORMS = (True, _NAMED), (True, _CHOSEN_NAMED), (False, _CHOSEN_NAMED), (False, _NUMBERED)
"""Whether the button has its words, and which views have names, the others numbers."""


class CompareBar(QWidget):
    """Bar that begins and ends a comparison. `tell` is given the reason where what is shown cannot be compared, `withdraw` the same once
    that is over."""

    def __init__(
        self, look: Look, comparison: Comparison, tell: Callable[[Message], object], withdraw: Callable[[Message], object]
    ) -> None:
        super().__init__()
        self._look = look
        self._comparison = comparison
        self._tell, self._withdraw = tell, withdraw
        self._refused: Message | None = None
        """Why it could not be compared, as was told."""
        self.views = Segmented(look, message("View of both sides"), [(view, view.title, "") for view in View], comparison.choose)
        self.button = QToolButton()
        self.button.setFont(look.theme.font("body"))
        self.button.setIconSize(QSize(look.px(16), look.px(16)))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(self.toggle)
        self._widths: tuple[int, ...] = (0,) * len(_FORMS)
        self._known = 0
        """How wide button and views wanted to be when they were measured last."""
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.views)
        row.addWidget(self.button)
        bind(self, comparison.view, self._show_view)
        bind(self, comparison.pair, self._show_pair)
        bind(self, comparison.pinned, lambda _pinned: self._show_pair(comparison.pair.value))
        bind(self, comparison.live.shown, self._show_reason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._measure()  # now that it has its font

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest and self._wanted() != self._known:  # another font or style has come
            self._measure()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self._widths[0], super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._widths[-1], super().minimumSizeHint().height())

    def _measure(self) -> None:
        """How wide it is in each form."""
        widths = []
        for words, names in _FORMS:
            self._put(names, words=words)
            widths.append(self._wanted())
        self._widths = tuple(widths)
        self.updateGeometry()
        self._fit()

    def _wanted(self) -> int:
        beside = self.views.sizeHint().width() + self._row.spacing() if self.views.isVisibleTo(self) else 0
        return self.button.sizeHint().width() + beside

    def _fit(self) -> None:
        """Of these the first that there is room for: the keys call the views by their numbers too."""
        words, names = next((form for form, width in zip(_FORMS, self._widths, strict=True) if width <= self.width()), _FORMS[-1])
        self._put(names, words=words)
        self._known = self._wanted()

    def _put(self, names: int, *, words: bool) -> None:
        style = Qt.ToolButtonStyle
        self.button.setToolButtonStyle(style.ToolButtonTextBesideIcon if words else style.ToolButtonIconOnly)
        self._name_views(names)

    def _name_views(self, names: int) -> None:
        for view, button in zip(View, self.views.buttons, strict=True):
            name = self._look.text(self._title_of(view))
            numbered = names == _NUMBERED or (names == _CHOSEN_NAMED and not button.isChecked())
            button.setText(str(view.value) if numbered else name)
            button.setToolTip("" if names == _NAMED else name)
            button.setAccessibleName(name)

    def _title_of(self, view: View) -> Message:
        """What it is called: otherwise only where it is so of both launches."""
        pair = self._comparison.pair.value
        titles = {view.title} if pair is None else {title_of(view, pair.left), title_of(view, pair.right)}
        return titles.pop() if len(titles) == 1 else view.title

    def _show_view(self, view: View) -> None:
        self.views.show_choice(view)
        self._measure()

    def toggle(self) -> None:
        """Begin to compare or stop it; where that cannot be, say why."""
        self._refused = self._comparison.toggle()
        if self._refused is not None:
            self._tell(self._refused)

    def _show_pair(self, pair: Pair | None) -> None:
        self.views.setVisible(pair is not None)
        if pair is not None:
            self.views.offer([view for view in View if offers(pair.left, view) or offers(pair.right, view)])
        pinned = self._comparison.pinned.value is not None
        self.button.setIcon(self._look.icon("x" if pinned else "columns-2"))
        self.button.setText(self._look.text(message("Back to one launch") if pinned else message("Compare")))
        self._measure()
        self._show_reason(self._comparison.live.shown.value)

    def _show_reason(self, _shown: Shown | None) -> None:
        """Why it cannot be compared, or what the button does."""
        pinned, reason = self._comparison.pinned.value, self._comparison.refusal
        if self._refused is not None and reason != self._refused:
            self._withdraw(self._refused)
            self._refused = None
        said = self._look.text(reason or (PIN if pinned is None else message("Show one launch again (P or Esc)")))
        self.button.setToolTip(said)
        self.button.setEnabled(pinned is not None or reason not in (ONLY_LAUNCHES, NOTHING_SHOWN))
        self.button.setAccessibleName(self.button.text())
        self.button.setAccessibleDescription(said)


class CompareRefusal(QWidget):
    """Strip that says why what the stage shows is not compared with the pinned launch, and offers one that can be."""

    def __init__(self, look: Look, comparison: Comparison, session: Session, tell: Callable[[Message], object]) -> None:
        super().__init__()
        self._look = look
        self._comparison = comparison
        self._session = session
        self._tell = tell
        self._offer: Offer | None = None
        self.said = label(look, "", "small")
        self.said.setWordWrap(True)
        self.offered, self.back = QPushButton(), QPushButton(look.text(message("Back to one launch")))
        self.offered.clicked.connect(self._take)
        self.back.clicked.connect(comparison.leave)
        self.setStyleSheet(f"CompareRefusal {{ background: {look.theme.now_bg.name()}; }}")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 8, 4)
        row.addWidget(self.said, 1)
        for button in (self.offered, self.back):
            button.setFont(look.theme.font("small"))
            row.addWidget(button)
        self.hide()
        bind(self, comparison.pinned, lambda _pinned: self._show())
        bind(self, comparison.live.shown, lambda _shown: self._show())

    def _show(self) -> None:
        pinned, reason = self._comparison.pinned.value, self._comparison.refusal
        wanted = pinned is not None and reason is not None and self._comparison.live.shown.value is not None
        set_shown(self, wanted)
        if not wanted or pinned is None or reason is None:
            return
        self.said.setText(self._look.text(reason))
        self._offer = offer_for(pinned)
        self.offered.setVisible(self._offer is not None)
        if self._offer is not None:
            self.offered.setText(self._look.text(self._offer.title))

    def _take(self) -> None:
        reason = None if self._offer is None else take_offer(self._session, self._offer)
        if reason is not None:
            self._tell(reason)
