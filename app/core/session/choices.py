"""Choices of the stage and of its caches, as values that session and draft editor stand on, and the name of a variant in a file."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.cachesim.geometry import Hierarchy, Replacement, refuse_level
from kernels.cachesim.presets import SCALED, preset
from kernels.catalogue import catalogue


@dataclass(frozen=True, slots=True)
class CacheChoice:
    """Choice of caches: the name of a preset, and the replacement that all its levels get, None: each its own."""

    preset: str = SCALED
    replacement: Replacement | None = None

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


def no_variant(name: str) -> Message:
    """What is wrong with a name that no variant has, for `Table.wrong`."""
    near = get_close_matches(name, [variant.id for variant in catalogue.VARIANTS], 1)
    if near:
        return message("names none of the variants; {name} is the nearest", name=near[0])
    return message("names none of the variants")
