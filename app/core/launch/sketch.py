"""A first look at a launch that takes long to execute: one block of it, where the timeline stands."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from app.core.launch.subject import Subject

MOST_ITERATIONS = 1024
"""Blocks times iterations of the inner loop that are executed about as fast as a hand drags: blocks run one after the other."""


def sketch_of(subject: Subject, progress: float) -> Subject | None:
    """The subject with one block, that in which `progress` (0 to 1) of the grid falls; None where all of it is quick, or is one block."""
    blocks = prod(subject.launch.grid)
    executed = blocks if subject.launch.blocks is None else len(subject.launch.blocks)
    if executed == 1 or iterations(subject, executed) <= MOST_ITERATIONS:
        return None
    shown = subject.launch.blocks or range(blocks)
    block = shown[min(int(progress * executed), executed - 1)] if executed < blocks else min(int(progress * blocks), blocks - 1)
    return replace(subject, launch=replace(subject.launch, blocks=(block,)))


def iterations(subject: Subject, blocks: int) -> int:
    """Iterations of the inner loop in so many blocks: where A and B are multiplied, A's columns for each block."""
    matrices = {role.letter: role for role in subject.matrices}
    return blocks * (matrices["A"].columns if {"A", "B"} <= set(matrices) else 1)
