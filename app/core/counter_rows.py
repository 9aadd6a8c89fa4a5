"""The counters beside a picture, of whatever kind of kernel it is."""

from __future__ import annotations

from app.core.counters import Counter, Counters
from app.core.launch.tally import tally
from app.core.nest.tally import CacheCounters
from app.core.stage_model import AnyPicture, LaunchPicture, Picture


class CounterRows:
    """What was counted of the last trace and caches is kept: the next picture is most often of the same."""

    def __init__(self) -> None:
        self._counters: Counters | None = None
        self._cache_counters: CacheCounters | None = None

    def of(self, picture: AnyPicture | None) -> tuple[Counter, ...]:
        """The counters of a picture; none where there is none."""
        if picture is None:
            return ()
        if isinstance(picture, LaunchPicture):
            return tally(picture.index, picture.frame)
        trace = picture.index.trace
        if self._counters is None or self._counters.trace is not trace:
            self._counters = Counters(trace)
        return (*self._counters.at(picture.frame.step), *self._of_caches(picture))

    def _of_caches(self, picture: Picture) -> tuple[Counter, ...]:
        if picture.caches is None:
            return ()
        if self._cache_counters is None or self._cache_counters.caches is not picture.caches:
            self._cache_counters = CacheCounters(picture.caches)
        return self._cache_counters.at(picture.frame.step)
