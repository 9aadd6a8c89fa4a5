"""The distributed rungs of the ladder, in teaching order."""

from __future__ import annotations

from kernels.base.messages import message
from kernels.base.spec import Device, Needs, Operation, Parameter, Variant

RANKS = Parameter("ranks", message("Ranks"), default=2, minimum=1, maximum=64, stops=(1, 2, 4, 8))
"""Processes that MPI starts."""
GRID_RANKS = Parameter("ranks", message("Ranks"), default=2, minimum=1, maximum=64, stops=(1, 2, 3, 5, 7))
"""One of them hands out; 2 x 2 and 3 x 2 workers are left of the last two."""
PANEL = Parameter(
    "panel", message("Width of a panel"), default=8192, minimum=1, maximum=1 << 20, stops=(1024, 2048, 4096, 8192, 16384)
)  # fmt: skip
"""The first broadcast is waited for: a narrow panel comes soon. Each product reads and writes C: of wide panels there are few."""

MPI_RUNGS: tuple[Variant, ...] = (
    Variant(
        "mpi.point-to-point", Operation.MATMUL, Device.MPI,
        message("Master and workers"),
        message("The master sends each worker its rows of A and all of B, one message after the other, and collects their rows of C."),
        source="mpi/matmul_point_to_point.py", entry="multiply", parameters=(RANKS,), features=frozenset({"ranks"}),
    ),
    Variant(
        "mpi.rows", Operation.MATMUL, Device.MPI,
        message("By rows, collective"),
        message("Every rank gets a share of the rows of A and all of B, by one scatter and one broadcast; a gather brings C together."),
        source="mpi/matmul_rows.py", entry="multiply", parameters=(RANKS,), features=frozenset({"ranks", "collective"}),
    ),
    Variant(
        "mpi.blocks", Operation.MATMUL, Device.MPI,
        message("By blocks"),
        message(
            "The workers stand in a grid: each gets rows of A and columns of B, which a derived datatype picks out of memory, "
            "and returns a block of C. Both parts shrink with more ranks."
        ),
        source="mpi/matmul_blocks.py", entry="multiply", parameters=(GRID_RANKS,), features=frozenset({"ranks", "derived datatype"}),
    ),
    Variant(
        "mpi.overlap", Operation.MATMUL, Device.MPI,
        message("Overlapped"),
        message("B travels in panels that nobody waits for before they are needed: a rank multiplies with one while the next is coming."),
        source="mpi/matmul_overlap.py", entry="multiply", parameters=(RANKS,), features=frozenset({"ranks", "collective", "overlap"}),
    ),
    Variant(
        "mpi.summa", Operation.MATMUL, Device.MPI,
        message("SUMMA"),
        message(
            "Every rank keeps a block of A, B and C; for each panel of k, pieces of A go along the rows of the grid "
            "and pieces of B along its columns. Nobody holds a whole strip, and rank 0 is not asked for everything."
        ),
        source="mpi/matmul_summa.py", entry="multiply", parameters=(RANKS,), features=frozenset({"ranks", "collective"}),
    ),
    Variant(
        "mpi.gpu-summa", Operation.MATMUL, Device.MPI,
        message("SUMMA on GPUs"),
        message(
            "Every rank has a GPU and keeps its blocks there. A panel travels from GPU to GPU in one stream while another stream "
            "multiplies with the panel before; cuBLAS multiplies and NCCL sends."
        ),
        source="mpi/matmul_gpu_summa.py", entry="multiply", parameters=(RANKS, PANEL), needs=Needs(each_rank=True),
        features=frozenset({"ranks", "collective", "overlap", "stream"}),
    ),
)  # fmt: skip
