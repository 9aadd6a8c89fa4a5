"""A line below the command bar after a start that follows an end without closing: going on where the program was, or not."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from app.core.state.last_session import Ended
from app.core.state.titles import title_of
from app.qt.binding import bind
from app.qt.feature import Feature, Host
from app.qt.playground.header import offer_bar
from kernels.messages import message

RESTORE = message("Go on there")
DISMISS = message("No, thanks")


class RestoreOffer(Feature):
    """Nothing waits for the answer; without one all is as in any start."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._session = host.workbench.last_session

    def line(self) -> QWidget:
        bar, said = offer_bar(self._host.look(), {RESTORE: self._session.restore, DISMISS: self._session.dismiss})
        bind(bar, self._session.offered, lambda ended: self._show(bar, said, ended))
        return bar

    def _show(self, bar: QWidget, said: QLabel, ended: Ended | None) -> None:
        bar.setVisible(ended is not None)
        if ended is not None:
            shown = message(
                "Tilescope was not closed last time. Nothing that was measured is lost; shown was {title}.", title=title_of(ended.shown)
            )
            said.setText(self._host.look().text(shown))
