"""What a state is called in a list."""

from __future__ import annotations

from app.core.series_names import name_of
from app.core.session import Workspace
from app.core.state.snapshot import Snapshot
from kernels.messages import Message, message


def title_of(snapshot: Snapshot) -> Message:
    """The rung with its parameters and size; of an edited text its name."""
    stage = snapshot.stage
    name = snapshot.draft.title if snapshot.edited and snapshot.draft is not None else name_of(stage.variant, stage.parameters)
    if not stage.problem.shapes:
        return name
    m, n, k = stage.problem.m, stage.problem.n, stage.problem.k
    sizes = (
        message("n = {n}", n=n)
        if m == n and k in (0, n)
        else message("{m} × {n} × {k}", m=m, n=n, k=k)
        if k
        else message("{m} × {n}", m=m, n=n)
    )
    if snapshot.workspace is Workspace.TIMING:
        return message("Timing: {name}, {sizes}", name=name, sizes=sizes)
    return message("{name}, {sizes}", name=name, sizes=sizes)
