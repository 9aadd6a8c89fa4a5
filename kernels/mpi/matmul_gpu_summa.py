"""C = A B by SUMMA on several GPUs, sending while multiplying.

Every rank has a GPU, and a block of A, B and C in its
memory. As in SUMMA, pieces of A go along the rows of the
grid of ranks and pieces of B along its columns; they never
leave the GPUs. Each GPU does two things at once, each in a
stream of its own:

  travel   |-0-|-1-|        |-2-|     |-3-|
  compute      |----0----|----1----|----2----|----3----|

There is room for two panels. A panel is sent into the room
of the last but one as soon as that has been multiplied; a
product begins as soon as its panel has come. The events say
so: a stream waits for an event of the other, and nobody
asks the processor.

A rank receives K (M (q-1) + N (p-1)) / P floats, and does
2MNK/P operations: the time of products grows with n^3, that
of broadcasts with n^2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernels.mpi.parts import grid, panels, parts

if TYPE_CHECKING:  # what runs elsewhere needs no GPU
    from kernels.mpi.gpu_streams import Array, Event, Gpu


def multiply(
    gpu: Gpu, a: Array, b: Array, c: Array, K: int, panel: int
) -> None:  # fmt: skip
    # a, b, c: this rank's blocks, in its GPU's memory; panel:
    # the most columns of A, and rows of B, that go at a time
    p, q = grid(gpu.ranks)
    i, j = divmod(gpu.rank, q)
    height, width = c.shape
    k_of_A, k_of_B = parts(K, q), parts(K, p)
    steps = panels(k_of_A, k_of_B, panel)
    widest = max((end - k for k, end, _, _ in steps), default=0)
    a_rooms = [gpu.room(height * widest) for _ in range(2)]
    b_rooms = [gpu.room(widest * width) for _ in range(2)]
    travel, compute = gpu.stream(urgent=True), gpu.stream()
    multiplied: list[Event] = []

    compute.clear(c)
    for step, (k, end, ja, ib) in enumerate(steps):
        wide = end - k
        a_room, b_room = a_rooms[step % 2], b_rooms[step % 2]
        a_panel = a_room[: height * wide].reshape(height, wide)
        b_panel = b_room[: wide * width].reshape(wide, width)
        if step >= 2:  # until the room is free again
            travel.wait(multiplied[step - 2])
        if j == ja:
            first = k - k_of_A[ja][0]
            travel.copy(a_panel, a[:, first : first + wide])
        if i == ib:
            first = k - k_of_B[ib][0]
            travel.copy(b_panel, b[first : first + wide])
        travel.broadcast(a_panel, gpu.row, ja)
        travel.broadcast(b_panel, gpu.column, ib)

        compute.wait(travel.event())  # until the panel is here
        compute.add_product(c, a_panel, b_panel)
        multiplied.append(compute.event())
    compute.finish()
