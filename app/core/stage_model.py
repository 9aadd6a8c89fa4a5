"""What the stage shows: a trace, the place in it, and what is to be said where there is none."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.frames import Frame, frame_at
from app.core.frames_index import TraceIndex
from app.core.narration import Story, tell
from app.core.observable import Field
from app.core.timeline import Timeline
from kernels.cpusim.trace import Trace
from kernels.messages import Message, message

TRAVEL_BELOW = 4.0
"""From this speed on nothing travels: the picture goes from step to step."""
GPU_NOTICE = message("This kernel runs on a GPU. It is timed, and its source is shown; the stage animates the CPU kernels.")
"""The notice for variants that have no trace."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A frame, its words, and the trace it is of."""

    index: TraceIndex
    frame: Frame
    story: Story


class StageModel:
    """Set `trace` to show it. `notice` is the reason why none could be made: the last one stays, dimmed. `busy` while one is being made."""

    def __init__(self) -> None:
        self.trace: Field[Trace | None] = Field(None)
        self.notice: Field[Message | None] = Field(None)
        self.busy = Field(value=False)
        self.timeline = Timeline()
        self.picture: Field[Picture | None] = Field(None)
        self._index: TraceIndex | None = None
        self.trace.subscribe(self._load)
        self.timeline.position.subscribe(lambda _position: self._draw())

    @property
    def index(self) -> TraceIndex | None:
        """The shown trace made ready for drawing."""
        return self._index

    def _load(self, trace: Trace | None) -> None:
        """Take up another trace: at the same part of it if it is of the same kernel, else at its beginning."""
        shown = self._index.trace.variant_id if self._index else None
        progress = self.timeline.progress if trace is not None and trace.variant_id == shown else 0.0
        self._index = TraceIndex(trace) if trace is not None and trace.steps else None
        if self._index is None:
            self.timeline.load(0, ())
        else:
            self.timeline.load(self._index.trace.steps, self._index.groups.start[:-1].tolist(), progress)
        self._draw()

    def _draw(self) -> None:
        """Make the picture of the present position. A trace that was replaced meanwhile has its own position."""
        index, position = self._index, self.timeline.position.value
        if index is None:
            self.picture.value = None
        elif position.step < index.trace.steps:
            at_end = position.step + 1 == index.trace.steps and position.fraction == 1
            travels = at_end or not self.timeline.playing.value or self.timeline.speed.value < TRAVEL_BELOW
            frame = frame_at(index, position.step, position.fraction if travels else 0.0)
            self.picture.value = Picture(index, frame, tell(index, frame))
