"""Caches, simulated: the CPU kernels' own Python source is instrumented, executed, and every access goes through a model.

- `geometry`: levels and how they are written. `presets`: processors.
- `load`: from a variant to its instrumented kernel. `expressions`, `primitives`: the pass over expressions and over the functions of
  `kernels.cpu.simd`. `numbering`: numbers for source lines and arrays.
- `influence`: whether values can decide which accesses are made. `loops`, `runs`: the accesses of an innermost loop noted together.
- `recording`, `vectors`: what the instrumented source calls. `arena`: the memory that it works in. `memory`: bare memory, and an access as
  a number. `execute`: runs it and hands out its accesses in chunks.
- `caches`, `sets`, `passes`, `shadows`: levels with their content, one line at one level, a block of accesses at one, and why they missed.
- `model`, `count`: the model, and the result in numbers. `events`, `history`: access by access, for the stage.

`memory` imports numba, and so do the modules that import it: only what runs in a worker may import them.
"""
