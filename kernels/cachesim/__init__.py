"""Caches, simulated: the CPU kernels' own Python source is instrumented, executed, and every access goes through a model.

`geometry` (levels and how they are written), `presets` (processors), `instrument` (the pass over the source), `recording` (what the
instrumented source calls), `execute` (runs it and hands out its accesses in chunks), `stream` (what an access looks like there),
`primitives` (what the functions of `kernels.cpu.simd` touch), `model` (the caches), `count` (the result in numbers), `history` (access by
access, for the stage). `recording` and `model` import numba: only what runs in a worker may import them.
"""
