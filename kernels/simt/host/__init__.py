"""Whole CUDA programs without a GPU: the host's side compiled, its memory one checked arena, its kernels recorded or compiled.

    program = reading.read(text, path)                         `main` and all that it calls, lowered; or `NotRun`
    outcome = process.Programs().run(ProgramJob(text, ...))    in a process of its own, with a deadline and a limit on memory

`lowering` lowers host functions by the rules of `lower`, as functions that are called; `code` makes LLVM of them, `emit` statements,
`expressions` values, `places` checked accesses; `arena` is the memory that they reach and nothing else; `c_library` is the C library,
`runtime` the CUDA runtime; `stale` finds values of the host that a launch has made old; `result` is what a run leaves. `iteration` is how
a loop runs over what has `begin` and `end`.

`launches` takes a launch, with what can be wrong with it; `recording` lets the interpreter record it, or has it compiled: `threads` are the
places and checked accesses of one thread, `thread_functions` CUDA's functions, `thread_code` its statements, where it waits, and
the machine code of blocks, `grids` the cores that execute them; `device_memory` is the arena as the interpreter sees it. Where the bits
could differ, a launch goes back to the interpreter.

On Linux the process is copied from one that has imported and used it all (`preloaded`): it begins in milliseconds. What a program did in
order is its `events`, and its page a pure function of them. `records` of launches are kept until the program has ended, and then looked
through for races: the run is shown without them first.
"""
