"""C = A B on all cores, from packed panels.

  1. The threads pack B, strip by strip, into P, which they
     share; then they wait for each other.
  2. They share out the rows of C. Each packs the rows of A
     that it works on for itself, and multiplies.

The schedule decides who gets which strips of MR rows:
static    equal parts, known before the loop begins
dynamic   the next `chunk` strips to whoever is free
guided    large parts first, smaller ones near the end
No thread writes what another one writes, so nothing has to
be combined (compare matmul_parallel_private.py).
Next rung: one core again, and registers that hold whole
matrices (matmul_amx.py).
"""

from __future__ import annotations

from kernels.cpu.atomics import Words
from kernels.cpu.matmul_packed import MR, NR, multiply_panels
from kernels.cpu.matrix import Matrix
from kernels.cpu.packing import equal_parts, pack_columns, pack_rows
from kernels.cpu.simd import panel
from kernels.cpu.teams import next_chunk, wait_for_all


def workspace(N: int, K: int) -> tuple[int, int]:
    """Rows and columns of P: all of B in strips of NR columns."""
    return (N + NR - 1) // NR * K, NR


def multiply(
    A: Matrix,
    B: Matrix,
    C: Matrix,
    P: Matrix,
    mc: int,
    kc: int,
    team: Words,
    thread: int,
) -> None:
    M, K = A.shape
    N = B.shape[1]
    kc = equal_parts(K, kc, 4)
    strips = (N + NR - 1) // NR

    first, last = next_chunk(team, thread, strips)
    while first < last:
        for k0 in range(0, K, kc):
            depth = min(kc, K - k0)
            here = k0 * strips + first * depth
            part = B[k0 : k0 + depth, first * NR : last * NR]
            pack_rows(part, P[here:], NR)
        first, last = next_chunk(team, thread, strips)
    wait_for_all(team)

    rows = (M + MR - 1) // MR
    first, last = next_chunk(team, thread, rows)
    while first < last:
        i0, i1 = first * MR, last * MR
        multiply_rows(A[i0:i1], P, C[i0:i1], mc, kc)
        first, last = next_chunk(team, thread, rows)


def multiply_rows(
    A: Matrix,
    P: Matrix,
    C: Matrix,
    mc: int,
    kc: int,
) -> None:
    M, K = A.shape
    strips = (C.shape[1] + NR - 1) // NR
    mc = equal_parts(M, mc, MR)
    a = panel(mc // MR * kc, MR)
    if K == 0:
        C[:, :] = 0
    for i0 in range(0, M, mc):
        for k0 in range(0, K, kc):
            depth = min(kc, K - k0)
            pack_columns(A[i0 : i0 + mc, k0 : k0 + depth], a, MR)
            part = C[i0 : i0 + mc]
            b = P[k0 * strips :]
            multiply_panels(a, b, part, depth, k0 == 0)
