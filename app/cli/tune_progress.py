"""How far a tuning is: on a terminal one line that changes, elsewhere a line for each result."""

from __future__ import annotations

from collections.abc import Sequence

from app.cli.console import Console
from app.cli.sentences import outcome_text, parameters_text, rate_text
from app.core.timing.tuner import TuningProgress
from app.core.tuning.words import settings_words
from kernels.base.messages import Message, message
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result
from kernels.measure.tuning import Round, TuningPlan, is_confirmed

_LINE_AFRESH = "\r\x1b[K"
ROUNDS = {Round.LOOK: message("first look"), Round.CONFIRM: message("the best again")}


class ProgressLine:
    """Written to standard error."""

    def __init__(self, plan: TuningPlan, console: Console) -> None:
        self._plan = plan
        self._console = console
        self._terminal = console.err.isatty()
        self._best: Result | None = None
        self._shown = ""

    def show(self, progress: TuningProgress, new: Sequence[Result]) -> None:
        """Take in new results, and tell."""
        for result in new:
            self._take(result)
            if not self._terminal:
                self._console.tell(self._console.text(_outcome(result)))
        line = self._console.text(self._line(progress))
        if self._terminal and line != self._shown:
            self._shown = line
            self._console.err.write(f"{_LINE_AFRESH}{line}")
            self._console.err.flush()

    def end(self) -> None:
        """The report begins on a line of its own."""
        if self._terminal and self._shown:
            self._console.err.write(_LINE_AFRESH)
            self._console.err.flush()

    def _take(self, result: Result) -> None:
        best = self._best
        own = result.point.variant_id == self._plan.variant.id and result.verified and result.median_ms
        if own and (best is None or not best.median_ms or (result.median_ms or 0.0) < best.median_ms):
            self._best = result

    def _line(self, progress: TuningProgress) -> Message:
        line = message("{round}: {done} of {total}", round=ROUNDS[progress.part], done=progress.done, total=progress.total)
        if self._best is not None:
            best, settings = rate_text(self._best), settings_words(self._best.point, self._plan.over)
            line = message("{line}, best {rate} with {parameters}", line=line, rate=best, parameters=settings)
        left = progress.seconds_left
        return line if not left else message("{line} (at most {seconds} s left)", line=line, seconds=max(1, round(left)))


def _outcome(result: Result) -> Message:
    part = Round.CONFIRM if is_confirmed(result, Protocol()) else Round.LOOK
    point = result.point
    settings = parameters_text(point)
    named = message("{variant} ({parameters})", variant=point.variant_id, parameters=settings) if settings else point.variant_id
    return message("{round}: {variant}: {outcome}", round=ROUNDS[part], variant=named, outcome=outcome_text(result))
