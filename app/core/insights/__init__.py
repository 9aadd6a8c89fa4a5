"""Sentences that say what the measured data shows, and why. Each is made only where undisturbed results support it.

- `rules`: all rules in their order. `evidence`: the verified results they draw on.
  `pair_finders`: how expectations find their pairs of results.
- `pairs`: an expectation: two results, what the textbook says of them, and a reason for each way that it can come out.
- `cpu_multiplications`, `cpu_transpositions`, `workers`: those for the CPU. `gpu_multiplications`, `gpu_transpositions`: those for the GPU,
  made by `gpu_steps` with reasons from `counter_reasons`.
- `blocking`, `general`: functions for sentences that take more than two results.
"""
