"""What those kernels of tests/corpus/instructions leave that update memory by `red` or in bulk, send values to another block of a cluster,
or ask for special registers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.rounding import bfloat16_bits

Numbers = npt.NDArray[Any]

U32, F32 = np.arange(512, dtype=np.uint32), np.arange(512, dtype=np.float32)
SPREAD = (np.arange(128, dtype=np.uint64) * 2654435761 % (1 << 32)).astype(np.uint32).reshape(4, 32)
"""Words of all sizes."""
NUMBERS = np.arange(128).reshape(4, 32) * 40503 % 1000 - 500
SUM_OF_TWO = F32[:64].reshape(2, 32).sum(0)
FALLING = 31 - F32[:64]
DOUBLED = 2 * F32[63::-1]
_LANES_GAVE = np.arange(896, dtype=np.float32).reshape(2, 2, 32, 7)[:, ::-1]
SENT = np.concatenate([_LANES_GAVE[..., first:end].reshape(2, 2, -1) for first, end in ((0, 1), (1, 3), (3, 7))], 2)
"""What each block of two gets from the other: of each lane one value, two and four."""
OF_BLOCK = np.arange(384)
LANE = OF_BLOCK % 32


def _brain(numbers: Numbers) -> Numbers:
    return np.asarray(bfloat16_bits(np.asarray(numbers, np.float32)))


def _updated(start: Numbers, rows: Numbers) -> Numbers:
    """Rows of words, one after the other added to the first row of `start`, compared with the next three, joined to the others by bits."""
    found = start.astype(np.uint32)
    for row in rows:
        least = np.minimum(found[3].view(np.int32), row.view(np.int32)).view(np.uint32)
        found = np.stack([found[0] + row, np.minimum(found[1], row), np.maximum(found[2], row), least, found[4] & row, found[5] | row,
                          found[6] ^ row])  # fmt: skip
    return found


def _counted(start: Numbers, limit: int, times: int) -> Numbers:
    """A counter that begins again behind its limit."""
    for _ in range(times):
        start = np.where(start >= limit, 0, start + 1)
    return start


def _red_bfloat16() -> Numbers:
    low, high = F32[:32].reshape(2, 8, 2).transpose(2, 0, 1)
    pairs = np.stack([low, high], 2)
    least = np.zeros((6, 4))
    for block in range(2):
        for t in range(8):
            least[t % 6] = np.minimum(least[t % 6], [-low[block, t], high[block, t], high[block, t], -low[block, t]])
    four = np.stack([low, high, high, low], 2).max(0)
    return _brain(np.concatenate([low.sum(0), pairs.sum(0).ravel(), four.ravel(), least.ravel()]))


def _of_block() -> Numbers:
    t, block = OF_BLOCK % 64, OF_BLOCK // 64
    own = np.uint64(1) << LANE.astype(np.uint64)
    every = np.uint64(0xFFFFFFFF)
    same = [np.full(384, value) for value in (0, 8, 8, 2, 3, 1, 32)]
    return np.stack([t % 8, t // 8, same[0], *same[1:3], block % 2, block // 2, *same[3:5], LANE, own, own * 2 - 1, every - (own * 2 - 1),
                     every - (own - 1), *same[5:]], 1).ravel()  # fmt: skip


def _of_cluster() -> Numbers:
    x, y = np.arange(8) % 4, np.arange(8) // 4
    same = [np.full(8, value) for value in (4, 2, 2, 2, 1)]
    rows = np.stack([y * 2 + x % 2, same[0], x % 2, y, same[1], same[2], x // 2, same[3], same[4]], 1)
    return np.repeat(rows, 32, 0).ravel()


UPDATES: dict[str, Numbers] = {
    "red-vectors": np.concatenate(
        [
            np.stack([SUM_OF_TWO, SUM_OF_TWO * 2], 1).ravel(),
            (SUM_OF_TWO[:, None] + 2 * np.arange(4)).ravel(),
        ]
    ),
    "red-half-pairs": np.concatenate([F32[:32].reshape(2, 16).sum(0), np.tile(F32[16:32].reshape(8, 2), 4).ravel()]),
    "red-bfloat16": _red_bfloat16(),
    "red-async": np.concatenate(
        [
            _updated(np.array([0, 0x7FFFFFFF, 0, 0x7FFFFFFF, 0x7FFFFFFF, 0, 0])[:, None] + 0 * U32[:32], SPREAD),
            _counted(0 * U32[:32], 2, 4)[None],
        ]
    ).ravel(),
    "store-async": SENT.ravel(),
    "bulk-to-neighbour": 2 * np.roll(F32.reshape(2, 4, 64)[:, :, ::-1], 1, 1).ravel(),
    "bulk-reduce-to-neighbour": np.stack([NUMBERS.sum(0), np.minimum(NUMBERS.min(0), 0)]).ravel(),
    "bulk-reduce-floats": F32[:128].reshape(2, 64)[:, ::-1].sum(0),
    "bulk-reduce-halves": np.concatenate(
        [
            F32[:64] + DOUBLED,
            np.minimum(F32[64:128], DOUBLED),
            np.maximum(F32[128:192], DOUBLED),
        ]
    ),
    "bulk-reduce-bfloat16": np.concatenate([_brain(each) for each in (FALLING, np.minimum(FALLING, 0), np.maximum(FALLING, 0))]),
    "bulk-reduce-words": np.concatenate(
        [
            _updated(U32[:224].reshape(7, 32), SPREAD[:2, ::-1]),
            _counted(U32[224:256], 64, 2)[None],
        ]
    ).ravel(),
    "special-registers-of-a-block": _of_block(),
    "special-registers-of-a-cluster": _of_cluster(),
}
"""What is in the only output behind a kernel."""
