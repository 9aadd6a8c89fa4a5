"""Model of the stage: a trace, the place in it, what is selected, and what is to be said where there is none.

The place is found again in the trace of an edited text, and in that of another size.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.base.observable import Field
from app.core.base.timeline import Position, Timeline, Unit
from app.core.cpu_view.cache_sentences import tell_of_caches
from app.core.cpu_view.caches import StageCaches
from app.core.cpu_view.frame import Frame, frame_at
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.step_texts import tell, tell_recursion
from app.core.frames.matrix import LANDS_AT
from app.core.frames.step_description import StepDescription
from app.core.frames.views import CpuView
from app.core.gpu_view import frame as launch
from app.core.gpu_view.index import LaunchIndex, grid_progress, time_at
from app.core.gpu_view.selection import NO_HIGHLIGHT, NOTHING, Highlight, Selection, highlight
from app.core.gpu_view.shared.executed import UNSPECIFIED, instructions_at, next_instruction
from app.core.gpu_view.step_texts import tell_launch
from app.core.gpu_view.subject import Subject
from app.core.lesson_metrics.metric import Source
from app.core.stage.same_place import LeftPlaces, same_iteration, same_place, same_settings
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import ASSUMED_REGISTERS
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

COMPUTING = message("computing…")
BY_REGISTER = message("Colour fragments by lane, or by register")
FIRST_STEP_ASKED = message("Nothing is executed yet: the first step may tell the answer.")
NEXT_INSTRUCTION = message("Fragments of the next matrix instruction")
NO_INSTRUCTION = message("What is shown executes no matrix instruction.")
LAST_INSTRUCTION = message("This is the last matrix instruction.")
NO_NEXT_INSTRUCTION = NO_INSTRUCTION, LAST_INSTRUCTION, UNSPECIFIED
"""Why there is no next one to go to."""
TRAVEL_BELOW = 4.0
"""From this speed on nothing travels: the picture goes from step to step."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A frame of a CPU kernel, its words, the trace it is of, and what the caches did meanwhile, where that is known."""

    index: TraceIndex
    frame: Frame
    description: StepDescription
    caches: StageCaches | None = None
    level: int = 0
    """Which of the caches is looked at, by its place."""

    @property
    def variant_id(self) -> str:
        return self.index.trace.variant_id


@dataclass(frozen=True, slots=True, eq=False)
class GpuPicture:
    """A frame of a CUDA launch, its words, the record it is of, and what of it belongs to the selection."""

    index: LaunchIndex
    frame: launch.Frame
    description: StepDescription
    highlight: Highlight = NO_HIGHLIGHT

    @property
    def variant_id(self) -> str:
        return self.index.subject.variant_id


Shown = TraceIndex | LaunchIndex
AnyPicture = Picture | GpuPicture


def refuse_alone(shown: Shown | None, number: int) -> Message | None:
    """Why there is no view with this number to be seen alone of what is shown, or None."""
    most = max(CpuView).value
    return message("A CPU kernel has the views 1 to {most}.", most=most) if isinstance(shown, TraceIndex) and number > most else None


class ViewChoices:
    """Choices made in the views of matrix instructions, and in the source, themselves."""

    def __init__(self) -> None:
        self.by_register = Field(value=False)
        """Whether the elements of fragments are coloured by their register, else by their lane."""
        self.instruction = Field(0)
        """Which of a step's matrix instructions the fragments are of."""
        self.layout = Field("")
        """A layout that was typed in, to be laid over the tile in shared memory; "" for none."""
        self.folded: Field[frozenset[str]] = Field(frozenset())
        """The texts of the comments that are folded in the source."""

    def take(self, other: ViewChoices) -> None:
        """Choose what is chosen there."""
        self.by_register.value, self.instruction.value = other.by_register.value, other.instruction.value
        self.layout.value = other.layout.value

    def go_on(self) -> None:
        """Show the next of a step's matrix instructions."""
        self.instruction.value += 1

    def turn_fragments(self) -> None:
        """Colour the elements of fragments by what they are not coloured by now."""
        self.by_register.value = not self.by_register.value


class StageModel:
    """Set `shown` to show it. `notice` says why nothing newer could be made: the last one stays, dimmed. `busy` while one is made;
    `outdated` while something else was asked for than what is shown: a sketch is of what was asked for, though its whole is still made.

    `told` is the picture that words and numbers tell: while playing, of a new step a frame after `picture`, and a tick after it where the
    caches came to be known, for both at once would make a long frame. Views that wait show it a frame after the words, and so does the
    left side of a comparison.
    """

    untold = False
    """Whether `picture` is to be told in the next frame."""
    unfinished = False
    """Whether some views, or the left side of a comparison, wait for the frame after that one with showing `picture`."""
    _loaded: Shown | None = None

    def __init__(self, choices: ViewChoices | None = None) -> None:
        """`choices` are those of another model that is shown beside this one."""
        self.shown: Field[Shown | None] = Field(None)
        self.notice: Field[Message | None] = Field(None)
        self.busy, self.outdated = Field(value=False), Field(value=False)
        self.late = Field(value=False)
        """Whether a newer one takes so long that what is shown must not be taken for it."""
        self.failed = Field(value=False)
        """Whether `notice` says that tracing came to no end: tried again it may."""
        self.tries = Field(0)
        """How often that was asked for."""
        self.timeline = Timeline()
        self.picture: Field[AnyPicture | None] = Field(None)
        self.told: Field[AnyPicture | None] = Field(None)
        self.hovered = Field(NOTHING)
        self.pinned = Field(NOTHING)
        self.profile: Field[Profile | None] = Field(None)
        """The GPU that occupancy and waves are worked out for; None: none is chosen."""
        self.registers = Field(ASSUMED_REGISTERS)
        """Registers of a thread that occupancy assumes."""
        self.still = Field(value=False)
        """Reduced motion: nothing travels at any speed; a step is drawn as it begins, then as it ends."""
        self.order = Field(0)
        """Which of the possible orders of warps and blocks runs, where that is all there is to see; 0: by number."""
        self.caches: Field[StageCaches | None] = Field(None)
        """What the caches do while the trace that is shown is executed; None while that is not known."""
        self.counted: Field[StageCaches | None] = Field(None)
        """Those whose misses stand beside lines and steps: of new caches a tick after they are told."""
        self.caches_missing: Field[Message | None] = Field(None)
        """Why that will not be known."""
        self.cache_level = Field(0)
        """Which cache is looked at, from the nearest on."""
        self.alone = Field(0)
        """The number of the view that is shown alone; 0: those that the stage chooses."""
        self.choices = ViewChoices() if choices is None else choices
        self.asking: Field[frozenset[Source]] = Field(frozenset())
        """Somebody is to answer a question: numbers from these sources would tell, and are not shown beside the picture."""
        self.unbegun = Field(value=False)
        """Whether there is no picture because the first step, which no other comes before, may tell what is asked for."""
        self._listen()

    def _listen(self) -> None:
        self._left = LeftPlaces()
        self.ahead: Field[int | None] = Field(None)
        """The step before the one that a question is about: what it does is not what is asked. None: there is none."""
        self.finished: Field[AnyPicture | None] = Field(None)
        """The picture that the views which waited are to show."""
        self.shown.subscribe(self._load)
        self.timeline.position.subscribe(self._move)
        for field in (
            self.timeline.playing, self.still, self.hovered, self.pinned, self.cache_level,
            self.choices.by_register, self.choices.instruction, self.choices.layout,
        ):  # fmt: skip
            field.subscribe(self._redraw)
        self.unbegun.subscribe(lambda _unbegun: self._draw())
        self.caches.subscribe(self._take_caches)

    @property
    def waiting(self) -> bool:
        """Whether words or views are still to show what is drawn."""
        return self.untold or self.unfinished

    @property
    def selection(self) -> Selection:
        """What the pointer is on, or else what is pinned."""
        return self.pinned.value if self.hovered.value == NOTHING else self.hovered.value

    @property
    def said(self) -> Message | None:
        """What is said where there is no picture, or no newer one."""
        return FIRST_STEP_ASKED if self.unbegun.value else self.notice.value

    @property
    def kernel(self) -> str:
        """Which kernel is shown; "" for none."""
        return _kernel(self._loaded)

    def try_again(self) -> None:
        """Have traced once more what could not be traced: on a busy machine it may have taken too long."""
        if self.failed.value:
            self.tries.value += 1

    def next_instruction(self) -> Message | None:
        """Show the fragments of the step's next matrix instruction, behind its last one those of the next step that is one. Returns why
        there is none to go to."""
        picture = self.picture.value
        if not isinstance(picture, GpuPicture):
            return NO_INSTRUCTION
        here, at = len(instructions_at(picture.index, picture.frame)), picture.frame.step
        if here and self.choices.instruction.value % here + 1 < here:
            self.choices.go_on()
            return None
        step = next_instruction(picture.index, at + bool(here))
        if step is None:
            return UNSPECIFIED if any(site.tile for site in picture.index.trace.sites) else NO_INSTRUCTION
        if here and step <= at:
            return LAST_INSTRUCTION
        self.choices.instruction.value = 0
        self.timeline.scrub(step)
        return None

    def progress_of(self, kernel: str, subject: Subject | None = None) -> float:
        """The part of a kernel's whole work that is done, 0 to 1: of a launch, also of the blocks that were not traced; where `subject` is
        that of another size, the part up to the same block. Of a kernel that is not shown, nothing is."""
        if kernel != self.kernel:
            return 0.0
        if isinstance(self._loaded, LaunchIndex) and _steps(self._loaded):
            same = subject is not None and same_settings(self._loaded.subject, subject)
            return grid_progress(self._loaded, self.timeline.position.value.time, subject.launch.grid if subject and same else None)
        return self.timeline.progress

    def _load(self, shown: Shown | None) -> None:
        """Take up another trace: where it was left if nothing moved since, at the same part if it is of the same kernel, else at its
        beginning."""
        kernel = self.kernel if _renamed(self._loaded, shown) else _kernel(shown)
        progress, place = self.progress_of(kernel), self._same_place(shown, kernel)
        if kernel != self.kernel:
            self.pinned.value = NOTHING
        self._left.leave(self._loaded, self.timeline.position.value)
        self._loaded = shown
        self.unbegun.value, self.ahead.value = False, None
        self.hovered.value = NOTHING
        if shown is None or not _steps(shown):
            self.timeline.load(0, {})
        else:
            time = self._left.time_of(shown)
            part = _part(shown, progress) if place is None else (place + 0.5) / _steps(shown)
            self.timeline.load(_steps(shown), _bounds(shown), part if time is None else _part_at(shown, time))
        self._left.come(self.timeline.position.value)
        self._draw()

    def _same_place(self, shown: Shown | None, kernel: str) -> int | None:
        """Return the step that executes what the present one does, of an edited text, or of the same one in another order or of another
        size. Who stands at either end stays there."""
        before, step = self._loaded, self.timeline.position.value.step
        within = step > 0 and not self.timeline.at_end and self.kernel == kernel
        if isinstance(before, TraceIndex) and isinstance(shown, TraceIndex):
            return same_iteration(before.trace, step, shown.trace) if within else None
        if not isinstance(before, LaunchIndex) or not isinstance(shown, LaunchIndex) or not step < before.steps or not shown.steps:
            return None
        edited = before.subject.text != shown.subject.text and self.kernel == kernel
        return same_place(before, step, shown) if edited or (within and same_settings(before.subject, shown.subject)) else None

    def _redraw(self, _value: object) -> None:
        self._draw()
        self._tell()

    def _move(self, position: Position) -> None:
        """Make a picture where what is drawn has moved: while nothing travels, many positions are of one picture. While playing, tell the
        last one, or have the views show it that wait, in place of making the next."""
        self.unbegun.value = False
        shown, picture = self.shown.value, self.picture.value
        drawn = picture is not None and picture.index is shown and (picture.frame.step, picture.frame.fraction)
        if self.timeline.playing.value and self.waiting:
            self._go_on()
        elif shown is None or drawn != (position.step, self._fraction(shown, position)):
            self._draw()

    def tick(self) -> None:
        """Tell what the last tick showed and have the views show it that wait, unless the frames do; count what was told before."""
        if not self.waiting:
            self.counted.value = self.caches.value
        elif not self.timeline.playing.value:
            self._go_on()

    def _go_on(self) -> None:
        """Tell the picture; once it is told, have the views show it that have waited."""
        if self.untold:
            self._tell()
        else:
            self.unfinished, self.finished.value = False, self.picture.value

    def _tell(self) -> None:
        self.untold = False
        self.told.value = self.picture.value

    def _draw(self) -> None:
        """Make the picture of the present position. A trace that was replaced meanwhile has its own position."""
        shown, position = self.shown.value, self.timeline.position.value
        if shown is None or not _steps(shown) or self.unbegun.value:
            self._take(None)
        elif position.step < _steps(shown):
            picture = picture_of(shown, position.step, self._fraction(shown, position), self.selection)
            self._take(self._with_caches(picture) if isinstance(picture, Picture) else picture)

    def _take_caches(self, caches: StageCaches | None) -> None:
        if caches is None:
            self.counted.value = None
        self._draw()

    def _take(self, picture: AnyPicture | None) -> None:
        """Show a picture, and tell it unless the next frame may do that."""
        told, self.untold, self.unfinished = self.told.value, False, False
        if picture is None or told is None or not self._may_wait(told, picture):
            self.picture.value, self.finished.value = picture, None
            self._tell()
            return
        self.untold = told.frame.step != picture.frame.step or told.description != picture.description
        self.picture.value = picture

    def _may_wait(self, told: AnyPicture, picture: AnyPicture) -> bool:
        """Whether the words for a picture can come a moment after it: while playing, or where its caches came to be known. Not where frames
        are so far apart that one would look at two steps at once."""
        known = isinstance(told, Picture) and isinstance(picture, Picture) and told.caches is None and picture.caches is not None
        still = known and told.frame.step == picture.frame.step
        return told.index is picture.index and ((self.timeline.playing.value and not self.timeline.sparing) or still)

    def _with_caches(self, picture: Picture) -> Picture:
        """The picture with what is known of the caches, and the words for it."""
        caches = self.caches.value
        if caches is None or caches.index is not picture.index:
            return picture
        description = tell_of_caches(picture.description, caches, picture.frame.step)
        return replace(picture, description=description, caches=caches, level=min(self.cache_level.value, len(caches.levels) - 1))

    def _fraction(self, shown: Shown, position: Position) -> float:
        """How much of the step is drawn as done."""
        at_end = position.step + 1 == _steps(shown) and position.fraction == 1
        if not at_end and self.timeline.playing.value and self.timeline.speed.value >= TRAVEL_BELOW:
            return 0.0
        return float(position.fraction >= LANDS_AT) if self.still.value else position.fraction


def picture_of(shown: Shown, step: int, fraction: float, selection: Selection = NOTHING) -> AnyPicture:
    """The picture of a moment: a pure function."""
    if isinstance(shown, LaunchIndex):
        frame = launch.frame_at(shown, step, fraction)
        found = highlight(shown, frame, selection)
        return GpuPicture(shown, frame, tell_launch(shown, frame, found.lanes), found)
    loops = frame_at(shown, step, fraction)
    return Picture(shown, loops, tell_recursion(tell(shown, loops), shown, loops))


def _steps(shown: Shown) -> int:
    return shown.steps if isinstance(shown, LaunchIndex) else shown.trace.steps


def _part(shown: Shown, progress: float) -> float:
    """The part of a trace that is to be done where `progress` of the work is."""
    if not isinstance(shown, LaunchIndex):
        return progress
    return _part_at(shown, time_at(shown, progress))


def _part_at(shown: Shown, time: float) -> float:
    """The part of a trace that leads to the step at a time."""
    return 1.0 if time >= _steps(shown) else (int(time) + 0.5) / _steps(shown)


def _bounds(shown: Shown) -> dict[Unit, tuple[int, ...]]:
    if isinstance(shown, LaunchIndex):
        return dict(shown.record.bounds)
    return {Unit.TILE: tuple(shown.groups.start[:-1].tolist())}


def _renamed(before: Shown | None, shown: Shown | None) -> bool:
    """Whether the same text of a file has only another name, as once it is saved elsewhere."""
    if not isinstance(before, LaunchIndex) or not isinstance(shown, LaunchIndex):
        return False
    old, new = before.subject, shown.subject
    return not old.variant_id and (old.variant_id, old.text) == (new.variant_id, new.text) and same_settings(old, new)


def _kernel(shown: Shown | None) -> str:
    """Return the key of the kernel that the place in the trace belongs to."""
    if shown is None:
        return ""
    return shown.subject.variant_id or shown.subject.name if isinstance(shown, LaunchIndex) else shown.trace.variant_id
