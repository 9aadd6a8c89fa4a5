"""CUDA C executed without a GPU: parsed, made into a typed representation, run lock-step by warps, every access recorded.

    unit = frontend.parse(text, path, defines)              what is in the text, and what is wrong with it
    kernel = lower.lower(unit, "name<128, 8>")              one kernel's typed representation (ir), or Unsupported
    trace = execution.execute(kernel, launch.LaunchRequest(grid, block, arguments))
    storage.write_trace(trace, path)

`worker.Tracer` does the first three in a process of its own, with a deadline and a limit on memory: for texts that nobody has vetted.
"""
