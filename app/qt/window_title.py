"""What the window is called."""

from __future__ import annotations

from app.core.session import Session
from app.qt.look import Look
from app.qt.panels.command_bar import OPERATIONS
from kernels.messages import message


def window_title(session: Session, look: Look) -> str:
    """After what is on the stage: the text that is edited, or a variant of the catalogue."""
    variant, draft = session.stage.value.variant, session.desk.shown
    if draft is not None:
        return f"{look.text(draft.title)} — Tilescope"
    title = message("{operation} · {variant}", operation=OPERATIONS[variant.operation], variant=variant.title)
    return f"{look.text(title)} ({variant.id}) — Tilescope"
