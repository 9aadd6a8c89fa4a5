"""C = A B on all cores, each with a copy of C of its own.

  1. The threads share out k. Each adds its share of the
     products, for all of C, to its own copy in D.
  2. When all are done they share out the rows, and add the
     copies up.

Threads that shared one C here would add to the same places
at the same time, and lose sums: a race. Copies avoid it,
and are what some courses teach; but they take `threads`
times the memory of C, and adding them up is work of its own.
Next rung: share out the rows of C, and nobody needs a copy
(matmul_parallel.py).
"""

from __future__ import annotations

from kernels.cpu.atomics import Words
from kernels.cpu.matmul_packed import MR, NR, multiply_panels
from kernels.cpu.matrix import Matrix
from kernels.cpu.packing import equal_parts, pack_columns, pack_rows
from kernels.cpu.simd import panel
from kernels.cpu.teams import next_chunk, wait_for_all

STEP = 64  # values of k are shared out in such portions


def workspace(M: int, N: int, threads: int) -> tuple[int, int]:
    """Rows and columns of D: a copy of C for each thread."""
    return threads * M, N


def multiply(
    A: Matrix,
    B: Matrix,
    C: Matrix,
    D: Matrix,
    threads: int,
    mc: int,
    team: Words,
    thread: int,
) -> None:
    M, K = A.shape
    copy = D[thread * M : (thread + 1) * M]
    copy[:, :] = 0
    portions = (K + STEP - 1) // STEP
    first, last = next_chunk(team, thread, portions)
    while first < last:
        k0, k1 = first * STEP, min(last * STEP, K)
        add_products(A[:, k0:k1], B[k0:k1], copy, mc)
        first, last = next_chunk(team, thread, portions)
    wait_for_all(team)

    first, last = next_chunk(team, thread, M)
    while first < last:
        for i in range(first, last):
            c = C[i]
            c[:] = D[i]
            for other in range(1, threads):
                d = D[other * M + i]
                for j in range(len(d)):
                    c[j] += d[j]
        first, last = next_chunk(team, thread, M)


def add_products(A: Matrix, B: Matrix, C: Matrix, mc: int) -> None:
    M, depth = A.shape
    N = B.shape[1]
    mc = equal_parts(M, mc, MR)
    a = panel(mc // MR * depth, MR)
    b = panel((N + NR - 1) // NR * depth, NR)
    pack_rows(B, b, NR)
    for i0 in range(0, M, mc):
        pack_columns(A[i0 : i0 + mc], a, MR)
        part = C[i0 : i0 + mc]
        multiply_panels(a, b, part, depth, first=False)
