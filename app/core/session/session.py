"""Session: the one state of the user's choices, which panels read and write. It holds choices only, never results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from enum import StrEnum

from app.core.base.observable import Field
from app.core.session.choices import CacheChoice
from app.core.session.draft import Draft
from app.core.session.draft_editor import DraftEditor
from kernels.analysis.device_profiles import Profile, profiles
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Parameter, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case

_FIRST: Mapping[Operation, tuple[str, ...]] = {
    Operation.MATMUL: ("cpu.naive", "cpu.loop-order", "cpu.blocked", "cpu.packed", "cpu.parallel", "cpu.numpy"),
    Operation.TRANSPOSE: (
        "cpu.transpose-naive", "cpu.transpose-blocked", "cpu.transpose-simd", "cpu.transpose-streaming", "cpu.transpose-parallel",
    ),
}  # fmt: skip
"""The steps that gain most, as many as a chart has colours for, and the library."""


def first_ticked(operation: Operation) -> frozenset[str]:
    """The rungs that are ticked before the user has ticked any."""
    return frozenset(_FIRST.get(operation, ()))


def that_may_run(operation: Operation, devices: Mapping[Device, DeviceStatus]) -> tuple[Variant, ...]:
    """The rungs of an operation but those whose device is known to be missing."""
    waiting = (Availability.READY, Availability.PROBING)
    return tuple(variant for variant in catalogue.of(operation) if devices[variant.device].availability in waiting)


STAGE_SIZES = (4, 8, 12, 16, 20, 24, 32)
"""Matrix sizes offered for the stage: small enough that every access can be recorded and every value drawn."""
LARGEST_STAGE_SIDE = 512
LARGEST_LAUNCH_SIDE = 16384
MOST_STAGE_STEPS = 1 << 16
"""Innermost iterations of a CPU kernel on the stage; each records up to four accesses."""
DEFAULT_PROFILE = "h200"
DEFAULT_VARIANT = "cpu.blocked"
LAUNCH_SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
"""Matrix sizes offered for a CUDA kernel."""
DEFAULT_SIDES = {Device.CPU: 24, Device.GPU: 64, Device.MPI: 16}
"""At 24 with tiles of 8, the scaled caches hold three tiles but not B: blocking is seen to help, which at 16 it is not."""
DEFAULT_SIZES = (128, 256, 512, 1024)
DEFAULT_TILES = (8, 16, 32, 64, 128, 256)
SIZE_AXIS = "n"
"""The axis of matrix sizes. Every other axis is called as the parameter that it varies."""


class Workspace(StrEnum):
    """Workspace: which half of the program is in front."""

    STAGE = "stage"
    TIMING = "timing"


@dataclass(frozen=True, slots=True)
class LeftOperation:
    """An operation that was left for another: what the stage showed, and the rungs that were ticked."""

    stage: Case
    ticked: frozenset[str]


@dataclass(frozen=True, slots=True)
class TimingChoice:
    """Choice of what is timed: the ticked variants of one operation, each with its parameters, over sizes or over one parameter.

    Along `SIZE_AXIS` every size of `sizes` is measured; along a parameter each of its `values`, at the last size. `swept` has the values
    that were chosen.
    """

    operation: Operation
    ticked: frozenset[str]
    parameters: Mapping[str, Parameters]
    sizes: tuple[int, ...] = DEFAULT_SIZES
    swept: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: {"tile": DEFAULT_TILES})
    axis: str = SIZE_AXIS

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The ticked variants in teaching order."""
        return tuple(variant for variant in catalogue.of(self.operation) if variant.id in self.ticked)

    @property
    def axes(self) -> tuple[str, ...]:
        """What can vary: n, and every parameter that a ticked variant has."""
        names = dict.fromkeys(parameter.name for variant in self.variants for parameter in variant.parameters)
        return SIZE_AXIS, *names

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name, with the range and the stops of all ticked variants that have it; None where none has."""
        own = [parameter for variant in self.variants for parameter in variant.parameters if parameter.name == name]
        if not own:
            return None
        stops = tuple(sorted({stop for parameter in own for stop in parameter.stops}))
        return replace(own[0], minimum=min(p.minimum for p in own), maximum=max(p.maximum for p in own), stops=stops)

    def values(self, name: str) -> tuple[int, ...]:
        """The values of a parameter that are measured along its axis: those that were chosen, else its stops."""
        parameter = self.parameter(name)
        return self.swept.get(name) or (() if parameter is None else parameter.stops)


class Session:
    """Session: the user's choices, each a frozen value that changes as a whole.

    A rejected change returns its reason and changes nothing.
    """

    def __init__(self, variant_id: str = DEFAULT_VARIANT) -> None:
        variant = catalogue.find(variant_id)
        if variant is None:
            raise ValueError(f"unknown variant {variant_id!r}")
        self.workspace = Field(Workspace.STAGE)
        self.stage = Field(Case.of(variant, Problem.square(variant.operation, DEFAULT_SIDES[variant.device]), stage_defaults(variant)))
        self.lent: Parameters = {}
        """What a lesson that was left has set on the stage: no other rung takes it over, as it is nobody's choice."""
        self.left: Mapping[Operation, LeftOperation] = {}
        """What comes back with an operation that was left."""
        self.profile = Field(profile_named(DEFAULT_PROFILE))
        """The GPU that occupancy, waves and the roofline are worked out for."""
        self.caches = Field(CacheChoice())
        """The caches that the accesses of a CPU kernel go through."""
        self.draft_editor = DraftEditor(self.stage)
        """What is done to the text that is edited."""
        self.timing = Field(
            TimingChoice(variant.operation, first_ticked(variant.operation), {v.id: v.defaults for v in catalogue.VARIANTS})
        )

    @property
    def draft(self) -> Field[Draft | None]:
        """The text that is edited, on the stage or set aside."""
        return self.draft_editor.draft

    @property
    def operation(self) -> Operation:
        return self.stage.value.variant.operation

    @property
    def shown_operation(self) -> Operation | None:
        """What is computed by what is in front; None: that is not known of a text of the user's own. Times are those of rungs."""
        draft = self.draft_editor.shown
        timed = self.workspace.value is Workspace.TIMING
        return self.operation if timed or draft is None or draft.variant_id else None

    def show_workspace(self, workspace: Workspace) -> None:
        """Bring the other half of the program to the front."""
        self.workspace.value = workspace

    def move_rung(self, direction: int) -> None:
        """Show the next rung of the ladder (1), or the one before (-1); at its end nothing happens."""
        rungs = catalogue.of(self.operation)
        place = rungs.index(self.stage.value.variant) + direction
        if 0 <= place < len(rungs):
            self.choose_variant(rungs[place])

    def choose_variant(self, variant: Variant) -> None:
        """Show another rung. The matrix size stays, and what was chosen where the new rung can have it; another device starts anew."""
        shown = self.stage.value
        parameters, before = stage_defaults(variant), stage_defaults(shown.variant)
        problem = _problem_for(variant, shown)
        if variant.device is shown.variant.device:
            for name, value in shown.parameters.items():
                kept = parameters | {name: value}
                if self.lent.get(name) == value:
                    continue
                if name in parameters and value != before.get(name) and refuse(variant, problem, kept, Limits()) is None:
                    parameters = kept
        self.lent = {} if variant is not shown.variant else self.lent
        self._show(Case.of(variant, problem, parameters))

    def _show(self, case: Case) -> None:
        """Show a case in place of a draft; with another operation come the rungs of it that were ticked."""
        shown, timing, operation = self.stage.value, self.timing.value, case.variant.operation
        self.stage.value = case
        self.draft_editor.set_aside()
        if operation is not timing.operation:
            if shown.variant.operation is timing.operation:  # a text that was put on the stage leaves the ticks alone
                self.left = {**self.left, timing.operation: LeftOperation(shown, timing.ticked)}
            self.timing.value = replace(timing, operation=operation, ticked=self.last_ticked(operation), axis=SIZE_AXIS)

    def last_ticked(self, operation: Operation) -> frozenset[str]:
        """The rungs of an operation that were ticked when it was left, else those that are ticked at first."""
        left = self.left.get(operation)
        return first_ticked(operation) if left is None else left.ticked

    def tick_at_first(self, operation: Operation, ticked: frozenset[str]) -> None:
        """Tick these rungs of an operation, and no others of it, also where it is not the one that is shown."""
        left, timing = self.left.get(operation), self.timing.value
        if operation is timing.operation:
            self.timing.value = replace(timing, ticked=ticked)
        else:
            self.left = {**self.left, operation: LeftOperation(self.stage.value if left is None else left.stage, ticked)}

    def choose_operation(self, operation: Operation) -> None:
        """Show another operation as it was left, at first its blocked rung; of the same one the rung in whose place a text of the user's
        own is."""
        if operation is self.operation and self.shown_operation is None:
            self.draft_editor.set_aside()
        if operation is not self.operation:
            left, rungs = self.left.get(operation), catalogue.of(operation)
            if left is None or left.stage.variant.operation is not operation:
                self.choose_variant(next((v for v in rungs if "tile" in v.features), rungs[0]))
            else:
                self.lent = {}
                self._show(left.stage)

    def set_stage_parameter(self, name: str, value: int) -> Message | None:
        """Change a parameter of the shown variant on the stage; returns the reason if it cannot be."""
        shown = self.stage.value
        return self._propose_stage(replace(shown, parameters=dict(shown.parameters) | {name: value}))

    def set_stage_problem(self, problem: Problem) -> Message | None:
        """Change the matrix sizes on the stage; returns the reason if they cannot be."""
        return self._propose_stage(replace(self.stage.value, problem=problem))

    def show_settings(self, variant: Variant, parameters: Parameters) -> Message | None:
        """Show a variant with all its parameters at once; returns the reason if they cannot be shown."""
        if variant is not self.stage.value.variant:
            self.choose_variant(variant)
        return self._propose_stage(replace(self.stage.value, parameters=dict(parameters)))

    def set_run_parameter(self, variant: Variant, name: str, value: int, limits: Limits) -> Message | None:
        """Change a parameter that `variant` is timed with; returns the reason if it cannot be."""
        timing = self.timing.value
        proposed = dict(timing.parameters[variant.id]) | {name: value}
        reason = refuse(variant, Problem.square(variant.operation, 1), proposed, limits)
        if reason is None:
            self.timing.value = replace(timing, parameters={**timing.parameters, variant.id: proposed})
        return reason

    def tick(self, variant: Variant, ticked: bool) -> None:
        """Choose a variant for timing, or drop it."""
        self.tick_all((variant,), ticked)

    def tick_all(self, variants: Iterable[Variant], ticked: bool) -> None:
        """Choose several variants for timing, or drop them."""
        timing, meant = self.timing.value, {variant.id for variant in variants}
        changed = replace(timing, ticked=timing.ticked | meant if ticked else timing.ticked - meant)
        self.timing.value = changed if changed.axis in changed.axes else replace(changed, axis=SIZE_AXIS)

    def _propose_stage(self, proposed: Case) -> Message | None:
        reason = refuse_stage(proposed.variant, proposed.problem) or refuse(
            proposed.variant, proposed.problem, proposed.parameters, Limits()
        )
        if reason is None:
            self.stage.value = proposed
        return reason


def refuse_stage(variant: Variant, problem: Problem) -> Message | None:
    """Why a problem is not for the stage, or None. CPU kernels are recorded access by access; of a large grid some blocks are executed."""
    sizes = {"m": problem.m, "n": problem.n} | ({"k": problem.k} if problem.operation is Operation.MATMUL else {})
    if not problem.shapes:
        return None
    for name, value in sizes.items():
        if value < 1:
            return message("{name} must be at least {minimum}, not {value}.", name=name, minimum=1, value=value)
    if variant.device is Device.GPU:
        largest = max(sizes, key=lambda name: sizes[name])
        if sizes[largest] > LARGEST_LAUNCH_SIDE:
            return message(
                "{name} must be at most {maximum}, not {value}.", name=largest, maximum=LARGEST_LAUNCH_SIDE, value=sizes[largest]
            )
        return None
    steps = math.prod(sizes.values())
    if max(sizes.values()) > LARGEST_STAGE_SIDE or steps > MOST_STAGE_STEPS:
        return message(
            "The stage records every access: up to {side} rows and columns and {most} inner steps, not {steps}. Timing takes larger ones.",
            side=LARGEST_STAGE_SIDE, most=MOST_STAGE_STEPS, steps=steps,
        )  # fmt: skip
    return None


def profile_named(identifier: str) -> Profile:
    """The device profile with this id. Raises KeyError where there is none."""
    return {profile.id: profile for profile in profiles()}[identifier]


def stage_defaults(variant: Variant) -> dict[str, int]:
    """The parameters a variant is shown with: its defaults, but those that suit a small matrix where it has such."""
    return {parameter.name: parameter.default if parameter.small is None else parameter.small for parameter in variant.parameters}


def _problem_for(variant: Variant, shown: Case) -> Problem:
    """The shown sizes, or those that the variant's device begins with; so many tiles that threads have something to share."""
    before = shown.problem
    if variant.device is not shown.variant.device or not before.shapes:
        return Problem.square(variant.operation, DEFAULT_SIDES[variant.device])
    tile = next((parameter.small or 1 for parameter in variant.parameters if parameter.name == "tile"), 1)
    least = 2 * tile if "threads" in variant.features else 1
    return Problem.of(variant.operation, *(max(side, least) for side in (before.m, before.n, before.k or before.m)))
