"""Multiplication shared out to processes that send each other messages (MPI).

The program starts the processes, which MPI calls ranks, and never takes part itself: `runner` -> `ranks` -> mpiexec -> `rank`, which runs
one of the kernels, `matmul_*.py`, as a `job`. What each rank did when is an `MpiTimeline`, made by `merge` of what each has written down;
what it must have sent and received is in `communication_volume`. Ranks with a GPU each work through the streams of `gpu_streams`, as a
`gpu_job`.
"""
