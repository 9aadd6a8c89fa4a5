"""How many bytes the ranks must send and receive, from the definition of each rung alone.

Courses write A as M x N and B as N x K: a worker then receives MN/(P-1) + NK by rows, MN/p + NK/q by blocks. Here A is M x K
and B is K x N, which makes it MK/(P-1) + KN and MK/p + KN/q. P is all ranks, and p q those that multiply: P-1 where rank 0 only
hands out and collects, P where it multiplies as well. In every rung the ranks return MN elements in all, less what rank 0 has.
A broadcast counts as one message to each rank.
"""

from __future__ import annotations

from kernels.base.spec import FLOAT32_BYTES, Problem
from kernels.base.values import dataclass
from kernels.mpi.parts import grid, parts, sizes


@dataclass(frozen=True, slots=True)
class CommunicationVolume:
    """Bytes of the matrices' elements, by rank."""

    sent: tuple[int, ...]
    received: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of the parts: p x q ranks multiply, rank `first` and the following."""

    p: int
    q: int
    first: int
    formula: str
    """Floats that one of them receives, unless it is rank 0, as a course writes it."""
    placed: bool = False
    """Whether the blocks lie where they are needed before the run, and stay there after it: rank 0 is then like the others."""


def layout(variant_id: str, ranks: int) -> Layout:
    """How a rung shares out its work to so many ranks."""
    masters = int(ranks > 1)  # alone, a master does the work
    match variant_id:
        case "mpi.point-to-point":
            return Layout(ranks - masters, 1, masters, "MK/(P−1) + KN")
        case "mpi.blocks":
            return Layout(*grid(ranks - masters), masters, "MK/p + KN/q, pq = P−1")
        case "mpi.rows" | "mpi.overlap":
            return Layout(ranks, 1, 0, "MK/P + KN")
        case "mpi.summa":
            return Layout(*grid(ranks), 0, "MK/p + KN/q, pq = P")
        case "mpi.gpu-summa":
            return Layout(*grid(ranks), 0, "K(M(q−1) + N(p−1))/P, pq = P", placed=True)
    raise ValueError(variant_id)


def per_worker(variant_id: str, problem: Problem, ranks: int) -> float:
    """Bytes that a rank which multiplies, other than rank 0, receives by the formula, as if all sizes could be divided."""
    place = layout(variant_id, ranks)
    own = (1 / place.q, 1 / place.p) if place.placed else (0, 0)
    return FLOAT32_BYTES * (problem.m * problem.k / place.p * (1 - own[0]) + problem.k * problem.n / place.q * (1 - own[1]))


def volume(variant_id: str, problem: Problem, ranks: int) -> CommunicationVolume:
    """What is sent and received, to the byte, for sizes that need not divide."""
    place = layout(variant_id, ranks)
    rows, columns = sizes(parts(problem.m, place.p)), sizes(parts(problem.n, place.q))
    sent, received = [0] * ranks, [0] * ranks
    for number in range(place.p * place.q):
        rank = place.first + number
        i, j = divmod(number, place.q)
        if rank > 0 or place.placed:
            received[rank] += problem.k * (rows[i] + columns[j])
        if rank > 0 and not place.placed:
            sent[rank] += rows[i] * columns[j]
            received[0] += rows[i] * columns[j]
    if variant_id in ("mpi.summa", "mpi.gpu-summa"):
        _among_neighbours(problem, place, rows, columns, sent, received)
    else:
        sent[0] += sum(received[1:])
    return CommunicationVolume(tuple(FLOAT32_BYTES * count for count in sent), tuple(FLOAT32_BYTES * count for count in received))


def _among_neighbours(problem: Problem, place: Layout, rows: list[int], columns: list[int], sent: list[int], received: list[int]) -> None:
    """Who sends in SUMMA: rank 0 the blocks, unless they are placed; then every rank its own along its row and column of the grid."""
    k_of_a, k_of_b = sizes(parts(problem.k, place.q)), sizes(parts(problem.k, place.p))
    for rank in range(place.p * place.q):
        i, j = divmod(rank, place.q)
        a, b = rows[i] * k_of_a[j], k_of_b[i] * columns[j]
        sent[rank] += a * (place.q - 1) + b * (place.p - 1)
        if place.placed:
            received[rank] -= a + b
        elif rank > 0:
            sent[0] += a + b
        else:
            received[0] += problem.k * (rows[0] + columns[0]) - a - b
