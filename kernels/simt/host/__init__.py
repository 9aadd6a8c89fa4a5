"""Whole CUDA programs without a GPU: the host's side compiled, its memory one checked arena, its kernels recorded or compiled.

    program = reading.read(text, path)                         `main` and all that it calls, lowered; or `NotRead`
    outcome = process.Programs().run(ProgramJob(text, ...))    in a process of its own, with a deadline and a limit on memory

`lowering` lowers host functions by the rules of `lower`, as functions that are called; `code` makes LLVM of them, `emit` statements,
`expressions` values, `places` checked accesses; `arena` is the memory that they reach and nothing else; `library` is the C library,
`runtime` the CUDA runtime; `stale` finds values of the host that a launch has made old; `result` is what a run leaves. `iteration` is how
a loop runs over what has `begin` and `end`.

`launches` takes a launch, with what can be wrong with it; `recording` lets the interpreter record it, or has it compiled: `threads` are the
places and checked accesses of one thread, `thread_functions` CUDA's functions, `thread_code` its statements and where it waits, `blocks`
the machine code of blocks, `grids` the cores that execute them; `device_memory` is the arena as the interpreter sees it.
"""
