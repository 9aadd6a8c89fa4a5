"""States that texts and files say, shown in place of what is."""

from __future__ import annotations

from app.core.base.files.log import LOG, without_texts
from app.core.state.read import read_state
from app.core.state.states import STATE_SHOWN
from app.core.workbench.workbench import Workbench
from kernels.base.messages import Message, message


def show_state(workbench: Workbench, text: str | Message, name: str) -> Message | None:
    """Show the state that a text says, which is that of the file `name`, or why there is none; returns why it says nothing."""
    found = text if isinstance(text, Message) else read_state(text)
    if isinstance(found, Message):
        said = message("{place}: {reason}", place=name, reason=found) if name and found is not text else found
        LOG.info("state refused: %s", without_texts(found))
        workbench.tell(said)
        return said
    workbench.states.show(found)
    workbench.tell(STATE_SHOWN)
    return None
