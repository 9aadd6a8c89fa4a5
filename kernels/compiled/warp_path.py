"""Path of a warp through the machine code: the instructions that it issues once around the loop in which it spends its time.

Which way a branch goes is not in the machine code. It follows from the trace: an access that no block executed was jumped over, and how
often the accesses of an inner loop were executed for one of the loop around it is how often that one goes around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kernels.analysis.as_compiled import Place
from kernels.base.values import dataclass
from kernels.compiled.listing import HotLoop, Instruction, hot_loop, loops_of

_SPACES = ("shared", "global")


@dataclass(frozen=True, slots=True)
class WarpPath:
    """Instructions of a warp in the order in which it issues them. `trips`: so often goes the loop `hot`, whose instructions they repeat.

    Of a kernel without a loop they are all that a warp executes, and `trips` is 1.
    """

    instructions: tuple[Instruction, ...]
    hot: HotLoop
    trips: int

    @property
    def accesses(self) -> int:
        """Those of its instructions that access shared or global memory, each space by itself."""
        return sum(len(_places(each)) for each in self.instructions)


def warp_path(instructions: Sequence[Instruction], executed: Mapping[Place, int]) -> WarpPath:
    """The path of a warp inside the matrix; `executed` is how often a block executed the accesses of each place, as compiled."""
    taken = _taken(instructions, executed)
    hot = hot_loop(taken)
    if not hot.repeats:
        return WarpPath(tuple(taken), hot, 1)
    inner = [each for each in taken if hot.first <= each.address <= hot.last]
    own_loop = hot.first, hot.last
    around = [each for each in loops_of(taken) if each[0] <= hot.first and each[1] >= hot.last and each != own_loop]
    if around:
        start, end = min(around, key=lambda each: each[1] - each[0])
        before = [each for each in taken if start <= each.address < hot.first]
        after = [each for each in taken if hot.last < each.address <= end]
        own, often = (_times(part, taken, executed) for part in ([*before, *after], inner))
        if own and often >= own:
            trips = round(often / own)
            return WarpPath((*before, *inner * trips, *after), hot, trips)
    return WarpPath(tuple(inner), hot, 1)


def _taken(instructions: Sequence[Instruction], executed: Mapping[Place, int]) -> list[Instruction]:
    """The instructions without accesses that were not executed, and without what a branch jumps over together with such accesses alone."""
    left_out = {each.address for each in instructions if (places := _places(each)) and not any(executed.get(place) for place in places)}
    for branch in instructions:
        if branch.target is None or branch.target < branch.address or not branch.predicate:
            continue
        over = [each for each in instructions if branch.address < each.address < branch.target]
        accesses = [each.address for each in over if _places(each)]
        if accesses and left_out.issuperset(accesses):
            left_out.update(each.address for each in over)
    return [each for each in instructions if each.address not in left_out]


def _times(part: Sequence[Instruction], taken: Sequence[Instruction], executed: Mapping[Place, int]) -> float:
    """How often a part was executed: by those of its accesses whose lines have no others elsewhere; 0 where it has none."""
    here, everywhere = (Counter(place for each in some for place in _places(each)) for some in (part, taken))
    return max((executed.get(place, 0) / count for place, count in here.items() if everywhere[place] == count), default=0.0)


def _places(instruction: Instruction) -> list[Place]:
    return [(instruction.line, access.operation, access.space) for access in instruction.accesses if access.space in _SPACES]
