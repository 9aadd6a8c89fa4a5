"""Margins of a kernel's source: what each line costs, at its worst and in all."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import Chip
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.counts import OPERAND, LineCount
from kernels.analysis.reuse import Mode
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Margin:
    """Costs of a source line. The worst warp instructions of it by their step; None where the line does not access that memory.

    `requests`, `all_sectors`, `all_wavefronts` and `conflicts` are of the whole launch; `heat` is the line's share of all sectors and
    wavefronts.
    """

    line: int
    sectors: tuple[int, int] | None
    """Moved and needed, of the worst."""
    sectors_step: int
    degree: int | None
    """Ways of the worst bank conflict."""
    degree_step: int
    requests: int
    all_sectors: int
    all_wavefronts: int
    conflicts: int
    """Wavefronts that bank conflicts add."""
    heat: float

    @property
    def chips(self) -> tuple[Chip | None, Chip | None]:
        """Sectors moved of those needed, and ways of a bank conflict."""
        moved, needed = self.sectors or (0, 0)
        sectors = None if self.sectors is None else Chip(f"{moved}/{needed}", moved / max(needed, 1), self.sectors_step)
        return sectors, None if self.degree is None else Chip(f"{self.degree}×", self.degree, self.degree_step)

    @property
    def words(self) -> Message:
        conflicts = message(", {conflicts} of them bank conflicts", conflicts=self.conflicts) if self.conflicts else ""
        return message(
            "Line {line}, whole launch: {requests} requests of global and shared memory, {sectors} sectors, {wavefronts} wavefronts"
            "{of_conflicts}: {share} % of the launch's sectors and wavefronts. A press goes to its worst step.",
            line=self.line, requests=self.requests, sectors=self.all_sectors, wavefronts=self.all_wavefronts, of_conflicts=conflicts,
            share=round(100 * self.heat),
        )  # fmt: skip


def margins(index: LaunchIndex) -> Mapping[int, Margin]:
    """The lines of the shown text that access memory in this launch, by number."""
    costs, trace = index.record.costs, index.trace
    first_row = np.unique(costs.case, return_index=True)[1]
    site_of_case = trace.rows.site[first_row]
    counted = index.record.counts[Mode.AS_WRITTEN].lines
    whole = sum((each.sectors or 0) + (each.wavefronts or 0) for each in counted)
    found = {}
    for line in sorted({site.location.line for site in trace.sites if not site.location.file}):
        sites = [number for number, site in enumerate(trace.sites) if site.location.line == line and not site.location.file]
        cases = np.isin(site_of_case, sites)
        if not cases.any():
            continue
        own = [each for each in counted if each.line == line and not each.file]
        sectors, wavefronts = sum(each.sectors or 0 for each in own), sum(each.wavefronts or 0 for each in own)
        moved = _worst(index, first_row, cases, costs.sectors / np.maximum(costs.sectors_ideal, 1))
        served = _worst(index, first_row, cases, costs.degree.astype(np.float64))
        found[line] = Margin(
            line,
            None if moved is None else (int(costs.sectors[moved[0]]), int(costs.sectors_ideal[moved[0]])), moved[1] if moved else 0,
            None if served is None else int(costs.degree[served[0]]), served[1] if served else 0,
            sum(each.requests for each in own), sectors, wavefronts, sum(map(_conflicts, own)),
            (sectors + wavefronts) / whole if whole else 0.0,
        )  # fmt: skip
    return found


def _conflicts(count: LineCount) -> int:
    """Wavefronts beyond those without conflicts; tensor cores' operands are no requests, and are counted by themselves."""
    return 0 if count.wavefronts is None or count.operation == OPERAND else count.wavefronts - (count.ideal or 0)


def _worst(index: LaunchIndex, first_row: Ints, cases: Bools, cost: npt.NDArray[np.float64]) -> tuple[tuple[int, int], int] | None:
    """The case and warp that cost most, and a step of it; None where none costs anything."""
    own = np.where(cases[:, None], cost, 0)
    if not own.any():
        return None
    case, warp = np.unravel_index(int(own.argmax()), own.shape)
    step = index.record.order.step_of(int(first_row[case]), int(warp))
    return (int(case), int(warp)), step or 0
