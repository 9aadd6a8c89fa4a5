"""A workbench without a window, as long as a test uses it."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.session.session import Session
from app.core.workbench.assembly import assemble
from app.core.workbench.workbench import Workbench


def while_running(session: Session) -> Iterator[Workbench]:
    """Give the workbench of a session; nothing of it is kept."""
    bench = assemble(session, None).workbench
    yield bench
    bench.shutdown(5.0)
