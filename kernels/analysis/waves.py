"""How a grid is served: in waves of as many blocks as the device holds at a time, the last of them rarely full."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waves:
    """A model: all blocks take equally long, so that a wave ends as one."""

    blocks_per_wave: int
    full: int
    """Waves that fill the device."""
    tail: int
    """Blocks of the last wave where that is not full, else 0."""
    efficiency: float
    """Blocks served of those that the waves begun have room for, 0 to 1."""

    @property
    def count(self) -> int:
        return self.full + (self.tail > 0)


def waves(blocks: int, blocks_per_sm: int, sms: int) -> Waves:
    """The waves of a grid of `blocks` on `sms` multiprocessors that hold `blocks_per_sm` each; ValueError unless all are at least 1."""
    if min(blocks, blocks_per_sm, sms) < 1:
        raise ValueError("a grid, a multiprocessor and a device hold at least one block")
    at_once = blocks_per_sm * sms
    full, tail = divmod(blocks, at_once)
    return Waves(at_once, full, tail, blocks / (at_once * (full + (tail > 0))))
