"""Which caches the stage shows: a preset, and how a full set replaces its lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from kernels.cachesim.geometry import Hierarchy, Replacement, refuse_level
from kernels.cachesim.presets import SCALED, preset


@dataclass(frozen=True, slots=True)
class CacheChoice:
    """The name of a preset; the replacement that all its levels get, None: each its own."""

    preset: str = SCALED
    replacement: Replacement | None = None

    @property
    def scaled(self) -> bool:
        """Whether the caches are smaller than any real ones, so that small matrices fill them."""
        return self.preset == SCALED

    @property
    def hierarchy(self) -> Hierarchy:
        """The caches. A level whose ways no tree can be built over keeps its own replacement."""
        return _hierarchy(self)


@cache
def _hierarchy(choice: CacheChoice) -> Hierarchy:
    chosen = preset(choice.preset)
    if choice.replacement is None:
        return chosen
    levels = tuple(replace(level, replacement=choice.replacement) for level in chosen.levels)
    return replace(chosen, levels=tuple(own if refuse_level("", made) else made for own, made in zip(chosen.levels, levels, strict=True)))
