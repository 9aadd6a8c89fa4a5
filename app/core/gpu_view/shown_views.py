"""Which views show something of a launch, and which of them where there is not room for all."""

from __future__ import annotations

from app.core.frames.views import View
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.prints import prints
from app.core.gpu_view.shared.executed import instructions_at, multiplies_matrices
from app.core.gpu_view.shared.shared_tiles import exchanges
from app.core.gpu_view.synchronisation.clusters import in_clusters
from app.core.gpu_view.synchronisation.memory_order import synchronises
from app.core.gpu_view.synchronisation.pipeline_stages import copies_ahead
from kernels.base.messages import Message, message
from kernels.simt.base.types import Space

UNTIL_KNOWN = (View.MATRICES, View.THREADS, View.SHARED_MEMORY, View.GLOBAL_MEMORY)
"""The views while there is no launch."""
_MOST = 4


def offers(index: LaunchIndex, view: View) -> bool:
    """Whether a view has something to show of a launch: those of particular instructions only where such were executed."""
    return index.once(_instructive).get(view, True)


def refuse_view(view: View, sides: tuple[LaunchIndex, LaunchIndex]) -> Message | None:
    """Why a view is not chosen for two launches, or None."""
    if any(offers(index, view) for index in sides):
        return None
    return message("Neither launch executed anything that {view} shows.", view=view.title)


def title_of(view: View, index: LaunchIndex) -> Message:
    """What a view is called of a launch: of a text of one's own that is no product and no transposition there are arrays."""
    arrays = view is View.MATRICES and not index.subject.variant_id and not index.roles
    return message("Arrays") if arrays else view.title


def wanted(index: LaunchIndex) -> tuple[View, ...]:
    """The matrices, what shows the instructions that were executed, then of the views of every launch as many as there is room for."""
    return (View.THREADS,) if prints(index) else index.once(_wanted)


def two_wanted(index: LaunchIndex, frame: Frame) -> tuple[View, ...]:
    """The matrices, and the view that the step concerns."""
    if prints(index):
        return (View.THREADS,)
    if instructions_at(index, frame):
        return View.MATRICES, View.FRAGMENTS
    return View.MATRICES, View.SHARED_MEMORY if frame.site.space is Space.SHARED else View.GLOBAL_MEMORY


def left_out_of_two(index: LaunchIndex, frame: Frame | None = None) -> tuple[View, ...]:
    """The views that a stage with room for two does not show of a launch, or at this moment of it, and one with more room does."""
    turns = (View.MATRICES, View.FRAGMENTS, View.SHARED_MEMORY, View.GLOBAL_MEMORY) if frame is None else two_wanted(index, frame)
    return () if prints(index) else tuple(view for view in wanted(index) if view not in turns)


def _instructive(index: LaunchIndex) -> dict[View, bool]:
    """Of the views of particular instructions, whether the launch executed such."""
    matrices = multiplies_matrices(index)
    return {
        View.FRAGMENTS: matrices,
        View.SWIZZLE: matrices and exchanges(index),
        View.CLUSTERS: in_clusters(index),
        View.PIPELINE: copies_ahead(index),
    }


def _wanted(index: LaunchIndex) -> tuple[View, ...]:
    shared = any(each.space is Space.SHARED for each in index.trace.allocations)
    found = {
        View.MATRICES: True,
        **index.once(_instructive),
        View.SHARED_MEMORY: shared,
        View.MEMORY_ORDER: index.once(synchronises),
        View.THREADS: True,
        View.GLOBAL_MEMORY: not index.once(synchronises),
    }
    return tuple(sorted([view for view, wanted in found.items() if wanted][:_MOST]))
