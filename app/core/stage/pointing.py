"""Pointer of the command line: the lane and the matrix instruction that pictures show, in every step those of the warp that runs."""

from __future__ import annotations

from math import prod

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import Selection
from app.core.gpu_view.shared.executed import UNSPECIFIED, instructions_at, next_instruction
from app.core.stage.model import GpuPicture, Shown, StageModel
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

LANE, INSTRUCTION = "--lane", "--instruction"


@dataclass(frozen=True, slots=True)
class Pointed:
    """Lane, and instruction by its name or the beginning of it: mma is any of mma.m16n8k16.f32.bf16.bf16.f32 and mma.m16n8k8.…"""

    lane: int | None = None
    instruction: str = ""

    def __bool__(self) -> bool:
        return self.lane is not None or bool(self.instruction)

    @property
    def option(self) -> str:
        """What it was asked for by."""
        return INSTRUCTION if self.lane is None else LANE

    def show(self, model: StageModel) -> None:
        """Point at them in the step that a model shows; where it has no such instruction, at its first."""
        picture = model.picture.value
        if not isinstance(picture, GpuPicture):
            return
        if self.lane is not None:
            model.pinned.value = Selection(thread=picture.frame.first_thread + self.lane)
        if self.instruction:
            names = instructions_at(picture.index, picture.frame)
            model.choices.instruction.value = next((number for number, name in enumerate(names) if self._means(name)), 0)

    def refuse(self, shown: Shown | None, steps: range) -> Message | None:
        """Why there is nothing of it in some steps, or None."""
        if not self:
            return None
        if not isinstance(shown, LaunchIndex):
            return message("{name}: what is shown has neither lanes nor matrix instructions.", name=self.option)
        return self._refuse_lane(shown, steps) or (self._refuse_instruction(shown, steps) if self.instruction else None)

    def _refuse_lane(self, index: LaunchIndex, steps: range) -> Message | None:
        """Why the warp of some step has no such lane: the last one of a block may have few threads."""
        warps = {index.place(step)[1]: step for step in reversed(steps)}
        last = max(warps)
        most = min(WARP, prod(index.trace.block) - last * WARP) - 1
        if self.lane is None or self.lane <= most:
            return None
        return message("{name} must be from 0 to {maximum}, not {value}: the warp of step {step} has {count} threads.",
                       name=LANE, maximum=most, value=self.lane, step=warps[last] + 1, count=most + 1)  # fmt: skip

    def _refuse_instruction(self, index: LaunchIndex, steps: range) -> Message | None:
        names = dict.fromkeys(name for step in steps for name in instructions_at(index, frame_at(index, step)))
        if any(map(self._means, names)):
            return None
        if names:
            return message("{name}: '{text}' is not one of {choices}.", name=INSTRUCTION, text=self.instruction, choices=", ".join(names))
        following = next_instruction(index, steps.start)
        if following is None and any(site.tile for site in index.trace.sites):
            return UNSPECIFIED
        if following is None:
            return message("{name}: this launch executes no matrix instruction.", name=INSTRUCTION)
        name = instructions_at(index, frame_at(index, following))[0]
        return message("{name}: no step that is shown executes a matrix instruction; step {step} does: {instruction}.",
                       name=INSTRUCTION, step=following + 1, instruction=name)  # fmt: skip

    def _means(self, name: str) -> bool:
        return f"{name}.".startswith(f"{self.instruction}.")


NOWHERE = Pointed()
