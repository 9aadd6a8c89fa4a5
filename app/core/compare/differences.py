"""Differences of two launches: the cost of each and its change, and the source lines in which they differ.

The source lines are the declaration of an array and the line that is being executed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from app.core.gpu_view.blocks import launch_occupancy, shared_bytes
from app.core.gpu_view.counters import BARRIERS, CONFLICTS, INTENSITY, ROWS, counters_of, coverage
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.device_profiles import Profile
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space

REQUESTS, SECTORS, BYTES, SHARED_REQUESTS, WAVEFRONTS, _ = (title for title, _, _ in ROWS)
SHARED_BYTES = message("Shared bytes a block")
OCCUPANCY = message("Occupancy, %")
TIME = message("Time in ms, n = {n}")
_THINGS = (
    (WAVEFRONTS, message("shared wavefronts")),
    (CONFLICTS, message("bank conflicts")),
    (SECTORS, message("global sectors")),
    (REQUESTS, message("global requests")),
    (SHARED_REQUESTS, message("shared requests")),
    (BARRIERS, message("barriers")),
    (INTENSITY, message("FLOP per byte")),
    (BYTES, message("bytes moved")),
)
"""The counters that are compared, in the order in which they are shown, and what their numbers count."""
_FEWER = message("{times} times fewer"), message("{times} times fewer {things}")
_MORE = message("{times} times as many"), message("{times} times as many {things}")
_LESS = message("{percent} % fewer"), message("{percent} % fewer {things}")
_GREATER = message("{percent} % more"), message("{percent} % more {things}")
_FASTER = message("{times} times as fast")
_SLOWER = message("{times} times the time")
_CLOSE = 1.2
"""Ratios below this are told in percent."""
_NONE_WEIGHS = 4.0


@dataclass(frozen=True, slots=True)
class Difference:
    """Number of both launches. `brief` says the change where the title stands beside it, `sentence` where it stands alone."""

    title: Message
    left: float
    right: float
    brief: Message
    sentence: Message

    @property
    def ratio(self) -> float:
        """How many times as much the greater one is as the lesser."""
        return _ratio(self.left, self.right)

    @property
    def weight(self) -> float:
        """How much it says: where there is no room for all, those of greater weight are shown. A time always says something; bytes say
        nothing that sectors do not; something that only one side has says as much as a fourfold."""
        if self.title == BYTES:
            return 0.0
        if self.title.template == TIME.template:
            return math.inf
        return _NONE_WEIGHS if self.ratio == math.inf else self.ratio

    @property
    def same(self) -> bool:
        return self.left == self.right

    @property
    def written(self) -> Message:
        """Return both numbers as text: "65 536 → 2 048"."""
        return message("{left} → {right}", left=_figure(self.left), right=_figure(self.right))


def differences(left: LaunchIndex, right: LaunchIndex, profile: Profile | None, registers: tuple[int, int]) -> tuple[Difference, ...]:
    """Return the differences between whole launches, with counters that are equal but not those that neither has.

    `registers` are those of a thread of each.
    """
    return (*counts(left, right), *_resources(left, right, profile, registers))


def timed(left_ms: float, right_ms: float, n: int) -> Difference:
    """Return the difference of the times of both at a size."""
    title = Message(TIME.template, (("n", n),))
    ratio = times(_ratio(left_ms, right_ms))
    if ratio == 1:
        return Difference(title, left_ms, right_ms, message("the same time"), message("the same time"))
    said = Message((_FASTER if right_ms < left_ms else _SLOWER).template, (("times", ratio),))
    return Difference(title, left_ms, right_ms, said, _on_the_right(said))


def times(ratio: float) -> float | int:
    """A ratio as it is told: 32, 15.5, 1.53."""
    return round(ratio) if ratio >= 100 or abs(ratio - round(ratio)) < 0.005 else float(f"{ratio:.3g}")


def coverage_text(left: LaunchIndex, right: LaunchIndex) -> Message | None:
    """Say that numbers are estimates, where not all blocks were traced."""
    for index in (left, right):
        covered = coverage(index.trace)
        if not covered.complete:
            return message("Estimated from {traced} of {blocks} blocks.", traced=covered.traced, blocks=covered.blocks)
    return None


_CONTRARY = 1.05
"""The ratio from which on a time is said to go against a counter."""


def headline(main: Difference, time: Difference | None) -> Message:
    """The change that is to be seen first; where the time goes against it, that too, with the size that was timed."""
    if time is None or not contrary(main, time):
        return main.sentence
    return message("{change}, yet {time} at n = {n}", change=main.sentence, time=time.brief, n=dict(time.title.arguments)["n"])


def contrary(main: Difference, time: Difference) -> bool:
    """Whether the side with fewer wavefronts or sectors is the slower one."""
    if main.title not in (WAVEFRONTS, SECTORS) or time.ratio < _CONTRARY:
        return False
    return (main.right < main.left) != (time.right < time.left)


def main_difference(found: Iterable[Difference]) -> Difference | None:
    """The change that is to be seen first: of wavefronts and sectors that which changes more, else of what else changes; None: nothing."""
    changed = {each.title: each for each in found if not each.same}
    main = [changed[title] for title in (WAVEFRONTS, SECTORS) if title in changed and changed[title].ratio < math.inf]
    return max(main, key=lambda each: each.ratio) if main else next(iter(changed.values()), None)


def counts(left: LaunchIndex, right: LaunchIndex) -> Iterator[Difference]:
    """The counters of both whole launches, as far as one of them has any."""
    own, other = ({row.title: row.value for row in counters_of(index).whole} for index in (left, right))
    for title, things in _THINGS:
        if own.get(title) or other.get(title):
            yield counted(title, things, own.get(title, 0), other.get(title, 0))


def _resources(left: LaunchIndex, right: LaunchIndex, profile: Profile | None, registers: tuple[int, int]) -> Iterator[Difference]:
    one, two = shared_bytes(left), shared_bytes(right)
    if one or two:
        yield counted(SHARED_BYTES, message("bytes of shared memory a block"), one, two)
    if profile is not None:
        shares = [round(100 * launch_occupancy(index, profile, own).occupancy) for index, own in zip((left, right), registers, strict=True)]
        yield _occupancy(*shares)


def counted(title: Message, things: Message, left: float, right: float) -> Difference:
    """The difference of two counts of `things`."""
    if left == right:
        return Difference(title, left, right, message("as many"), message("As many {things}", things=things))
    if not left or not right:
        brief = message("none on the left") if not left else message("none on the right")
        both = message("No {things} on the left", things=things), message("No {things} on the right", things=things)
        return Difference(title, left, right, brief, both[0] if not left else both[1])
    ratio = _ratio(left, right)
    if ratio >= _CLOSE:
        brief, sentence = _FEWER if right < left else _MORE
        change: tuple[str, str | float | int] = ("times", times(ratio))
    else:
        brief, sentence = _LESS if right < left else _GREATER
        change = ("percent", f"{100 * abs(right - left) / left:.2g}")
    alone = _on_the_right(Message(sentence.template, (change, ("things", things))))
    return Difference(title, left, right, Message(brief.template, (change,)), alone)


def _on_the_right(change: Message) -> Message:
    return message("{change} on the right", change=change)


def _occupancy(left: int, right: int) -> Difference:
    brief, sentence = message("the same"), message("The same occupancy")
    points = abs(right - left)
    if right > left:
        brief, sentence = message("{points} points higher", points=points), message("Occupancy {points} points higher", points=points)
    elif right < left:
        brief, sentence = message("{points} points lower", points=points), message("Occupancy {points} points lower", points=points)
    return Difference(OCCUPANCY, left, right, brief, sentence)


def _figure(value: float) -> float | int:
    return round(value) if value >= 1000 or value == int(value) else float(f"{value:.3g}")


def _ratio(left: float, right: float) -> float:
    less, more = sorted((left, right))
    return more / less if less else (math.inf if more else 1.0)


_TOKENS = re.compile(r"\w+|\s+|.")
Spans = tuple[tuple[int, int], ...]
"""Parts of a text, each from its first character to the one after its last."""


def executed_line(frame: Frame, index: LaunchIndex) -> str:
    """The statement of the shown text that a frame executes, in one line; where that is of another file, the access alone."""
    found = _statement(index.subject.text, frame.line) if not frame.site.location.file else None
    return frame.site.text if found is None else found


@lru_cache(maxsize=256)
def _statement(text: str, line: int) -> str | None:
    """The statement of a line, or None where the text has no such line."""
    lines = text.splitlines()
    return statement_at(lines, line - 1) if 0 < line <= len(lines) else None


_COMMENT = re.compile(r"[ \t]*(?://[^\n]*|/\*.*?(?:\*/|\Z))", re.DOTALL)
_BEFORE = re.compile(r"(|#.*|.*[;{}]|(case\b.*|\w+)\s*:|((else\s+)?if|for|while|switch)\b.*\)|else|do)")
"""Lines after which a statement begins, without their comments."""
_SPOKEN = "\0"
"""Stands for a comment: a line of nothing else is none between two statements."""
_LONGEST_STATEMENT = 8
"""Lines: of something longer, or of a text whose statements have no such end, the one line is shown."""


def statement_at(lines: Sequence[str], at: int) -> str:
    """The lines that a statement is written in, of which one has the index `at`, as one line without comments."""
    bare = _COMMENT.sub(lambda comment: _SPOKEN + f"\n{_SPOKEN}" * comment[0].count("\n"), "\n".join(lines)).split("\n")
    near = bare[max(0, at - _LONGEST_STATEMENT) : at + _LONGEST_STATEMENT]
    code = [line.replace(_SPOKEN, "").strip() or line.strip()[:1] for line in near]
    first = last = min(at, _LONGEST_STATEMENT)
    while first and not _BEFORE.fullmatch(code[first - 1]):
        first -= 1
    while last + 1 < len(code) and not _BEFORE.fullmatch(code[last]):
        last += 1
    whole = [line for line in code[first : last + 1] if line != _SPOKEN]
    return " ".join(whole) if 0 < len(whole) <= _LONGEST_STATEMENT and whole[-1].endswith(";") else lines[at].strip()


def declaration(frame: Frame, index: LaunchIndex) -> str:
    """The line that declares the array in shared memory that a frame accesses, with the values of its macros; "" for any other array."""
    reached = frame.lanes.allocation[frame.lanes.allocation >= 0]
    if frame.site.space is not Space.SHARED or not len(reached):
        return ""
    array = index.trace.allocations[int(np.bincount(reached).argmax())]
    return _declared(index.subject.text, array.name, tuple(index.subject.defines.items()))


@lru_cache(maxsize=32)
def _declared(text: str, name: str, defines: tuple[tuple[str, str | int], ...]) -> str:
    pattern, values = re.compile(rf"__shared__.*\b{re.escape(name)}\b"), dict(defines)
    found = next((line.strip() for line in text.splitlines() if pattern.search(line)), "")
    return re.sub(r"[A-Za-z_]\w*", lambda word: str(values.get(word[0], word[0])), found)


@lru_cache(maxsize=256)
def changed(text: str, other: str) -> Spans:
    """What of a text is not in the other one at its place, by words and signs."""
    own, theirs = _TOKENS.findall(text), _TOKENS.findall(other)
    starts = np.concatenate(([0], np.cumsum([len(token) for token in own], dtype=np.int64))).tolist()
    blocks = SequenceMatcher(None, own, theirs, autojunk=False).get_opcodes()
    return tuple((starts[first], starts[last]) for kind, first, last, _, _ in blocks if kind != "equal" and last > first)
