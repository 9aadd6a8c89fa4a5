"""Samples of one point: which of them count, when there are enough, and what is to be said of them."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from kernels.base.values import dataclass
from kernels.measure.disturbance_sentences import DISTURBED_BY, DISTURBED_NAMES, DISTURBED_SHARE, MODES, RETAKEN, Cause
from kernels.measure.disturbance_watch import Reading, Watch
from kernels.measure.protocol import Protocol, Rule, interquartile_range, stopped_by

PATIENCE = 2.0
"""Where disturbed samples are taken again, there may be so many times as many in all, and it may last so many times as long."""
APART = 1.25
"""Two groups of samples are told apart where every one of the slower is so many times as long as every one of the faster."""
ALONE_S, TEAM_S = 0.05, 0.5
"""Samples of a processor's thread, and of several, last so long at least. Short ones all fall into one moment; of several threads the
slowest core decides, and in a virtual machine which one that is, and how slow, changes within tenths of a second."""
SHARED_S, SHARED_PART = 0.5, 0.9
"""Where so large a part of the samples of so long was taken on cores that another machine uses, it will hardly go: nobody waits for it."""
LEAST_PART, LEAST_OF_A_GROUP = 0.2, 3
"""The part of the samples, and the number, that make a group."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Milliseconds of one run, who disturbed it, and the pace of the slowest core right before or after it."""

    ms: float
    causes: frozenset[Cause] = frozenset()
    pace: float = 0.0


class Samples:
    """Collects samples slice by slice: between slices the rest of the program may work."""

    def __init__(self, protocol: Protocol, watch: Watch | None, threads: int) -> None:
        """`threads` is how many threads or ranks a run has. Without a watch nothing is known to disturb."""
        self._protocol, self._watch, self._threads = protocol, watch, threads
        self._samples: list[Sample] = []
        self._slice_from = 0
        self._before: Reading | None = None
        self._pace = 0.0
        self._processes: dict[int, tuple[str, float]] | None = None
        self._names: Counter[str] = Counter()
        self.rule: Rule | None = None
        """Why sampling has ended; None while it goes on."""

    @property
    def taken(self) -> int:
        """How many samples there are that count."""
        return len(self._clean)

    @property
    def times_ms(self) -> tuple[float, ...]:
        """Times in the order taken: of the undisturbed samples, or of all where there are too few of them."""
        clean = self._clean
        return tuple(clean) if self._enough(clean) else tuple(sample.ms for sample in self._samples)

    def warm_ups(self, short_ms: float) -> int:
        """How many runs come before the next slice that are not timed: those of the protocol, later one where a run is so short that it
        shows the pause before it."""
        return int(self._samples[-1].ms < short_ms) if self._samples else self._protocol.warm_ups

    def begin(self) -> None:
        """A slice begins. Where one was disturbed before, it is looked at which programs work during this one."""
        self._slice_from = len(self._samples)
        if self._watch is not None:
            self._processes = self._watch.processes() if any(map(self._causes, self._samples)) else None
            self._before = self._watch.look()
            self._pace = self._watch.slowest(self._threads)

    def add(self, run: Callable[[], float], elapsed_s: Callable[[], float]) -> None:
        """Take a sample; `elapsed_s` counts from the beginning of all sampling."""
        if self._watch is None:
            self._samples.append(Sample(run()))
        else:
            waits, start = self._watch.waits(), time.perf_counter()
            ms = run()
            delayed = self._watch.delays(time.perf_counter() - start, waits, self._watch.waits(), self._threads)
            before, self._pace = self._pace, self._watch.slowest(self._threads)
            self._samples.append(Sample(ms, frozenset({Cause.SCHEDULER}) if delayed else frozenset(), max(before, self._pace)))
        self._judge(elapsed_s())

    def end(self, elapsed_s: float) -> None:
        """A slice ends: if somebody disturbed it, all its samples are disturbed."""
        if self._watch is None or self._before is None:
            return
        causes = self._watch.causes(self._before, self._watch.look(), self._threads)
        if causes:
            later = [replace(sample, causes=sample.causes | causes) for sample in self._samples[self._slice_from :]]
            self._samples[self._slice_from :] = later
            self._judge(elapsed_s)
        if self._processes is not None and any(map(self._causes, self._samples[self._slice_from :])):
            self._names.update(self._watch.busiest(self._processes, self._watch.processes()))

    def conditions(self) -> dict[str, str | int | float]:
        """Why sampling ended, what was disturbed by whom, and the two groups that the samples fall into, if they do."""
        disturbed = [causes for causes in map(self._causes, self._samples) if causes]
        found: dict[str, str | int | float] = {} if self.rule is None else {"stopped_by": self.rule.value}
        if self._enough(self._clean):
            found |= {RETAKEN: len(disturbed)} if disturbed else {}
        else:
            causes = Counter(cause for causes in disturbed for cause in causes)
            if Cause.WINDOW.value in self._names:
                causes[Cause.WINDOW] += 1
            found[DISTURBED_SHARE] = len(disturbed) / len(self._samples)
            found[DISTURBED_BY] = ",".join(cause.value for cause, _ in causes.most_common())
            names = [name for name, _ in self._names.most_common(2) if name != Cause.WINDOW.value]
            found |= {DISTURBED_NAMES: ",".join(names)} if names else {}
        groups = modes(self.times_ms)
        return found if groups is None else found | dict(zip(MODES, groups, strict=True))

    @property
    def _clean(self) -> list[float]:
        return [sample.ms for sample in self._samples if not self._causes(sample)]

    def _shared_part(self) -> float:
        watch = self._watch
        return 0.0 if watch is None else sum(watch.is_shared(sample.pace, self._threads) for sample in self._samples) / len(self._samples)

    def _causes(self, sample: Sample) -> frozenset[Cause]:
        """Who disturbed a sample, by what is known now: how fast cores can be is seen better with each look."""
        shared = self._watch is not None and self._watch.is_shared(sample.pace, self._threads)
        return sample.causes | {Cause.STEAL} if shared else sample.causes

    def _enough(self, clean: Sequence[float]) -> bool:
        return len(clean) >= self._protocol.min_samples

    def _judge(self, elapsed_s: float) -> None:
        self.rule = stopped_by(self._clean, self._protocol, elapsed_s)
        if self.rule is Rule.SPREAD and self._watch is not None and elapsed_s < (TEAM_S if self._threads > 1 else ALONE_S):
            self.rule = Rule.COUNT if len(self._clean) >= self._protocol.max_samples else None
        if self.rule is not None or len(self._samples) < self._protocol.min_samples:
            return
        if elapsed_s >= SHARED_S and self._shared_part() >= SHARED_PART:
            self.rule = stopped_by([sample.ms for sample in self._samples], self._protocol, elapsed_s)
        elif len(self._samples) >= PATIENCE * self._protocol.max_samples:
            self.rule = Rule.COUNT
        elif elapsed_s >= PATIENCE * self._protocol.max_sampling_s:
            self.rule = Rule.TIME


def modes(times_ms: Sequence[float]) -> tuple[float, float] | None:
    """The medians of the two groups that samples fall into; None where they form one, or scatter over all the range."""
    ordered = sorted(times_ms)
    least = max(LEAST_OF_A_GROUP, LEAST_PART * len(ordered))
    places = [place for place in range(1, len(ordered)) if min(place, len(ordered) - place) >= least]
    split = max(places, key=lambda place: ordered[place] / max(ordered[place - 1], 1e-12), default=None)
    if split is None or ordered[split] < APART * ordered[split - 1]:
        return None
    low, high = ordered[:split], ordered[split:]
    gap = ordered[split] - ordered[split - 1]
    if max(interquartile_range(low), interquartile_range(high)) > gap:
        return None
    return statistics.median(low), statistics.median(high)
