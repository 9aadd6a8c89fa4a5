"""Whole CUDA programs without a GPU: the host's side compiled, its memory one checked arena, its kernels executed by the interpreter.

    program = reading.read(text, path)                         `main` and all that it calls, lowered; or `NotRead`
    outcome = process.Programs().run(ProgramJob(text, ...))    in a process of its own, with a deadline and a limit on memory

`lowering` lowers host functions by the rules of `lower`, as functions that are called; `code` makes LLVM of them, `emit` statements,
`expressions` values, `places` checked accesses; `arena` is the memory that they reach and nothing else; `library` is the C library,
`runtime` the CUDA runtime, `launches` hands a kernel and the device's memory to the interpreter; `result` is what a run leaves.
"""
