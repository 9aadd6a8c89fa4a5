"""CUDA C executed without a GPU: parsed, made into a typed representation, run lock-step by warps, every access recorded.

    unit = frontend.parse.parse(text, path, defines)        what is in the text, and what is wrong with it
    kernel = lower.kernel.lower(unit, "name<128, 8>")       one kernel's typed representation (ir), or Unsupported
    found = run.execution.execute(kernel, base.launch.LaunchRequest(grid, block, arguments))

`run.worker.Tracer` does the first three in a process of its own, with a deadline and a limit on memory: for texts that nobody has vetted.
"""
