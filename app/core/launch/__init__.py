"""A CUDA launch on the stage: what is executed, the record of its execution, and frames of it as values.

- What is executed: `subject`; a part of it first, `sketch`; in the tracing process, `execute`.
- The record: `record`, made of `order`, `phases`, `letters`, `touched`, `print_rows`; made ready for drawing, `index`.
- A moment: `frame`; in words, `story`, `quantities`, `regions`; what is selected in it, `selection`; where it is kept, `place`.
- The views, by their numbers: `views`. What they think of a step: `verdict`.
  Matrices: `matrices` of `arrays`, `tiles`, `events`, `origins`, `cell_roles`, `elements`, `traffic`.
  Threads: `threads`, `index_sums`, `block_grid`, `schedule`; of a launch that only prints, `prints`; a GPU's own, `prints_beside`.
  Shared memory: `banks` of `shared_memory`, `wavefronts`, `bank_rows`; its answers, `bank_answers`, `bank_words`.
  Global memory: `sectors`, `faulty_lanes`.
- Along its steps: `strip`. Beside its lines: `margins`. In all: `tally`, `cost` for a `cost_question`, `coverage`, `occupancy`.
"""
