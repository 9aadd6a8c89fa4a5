"""CUDA C text to a checked translation unit: the only packages that know libclang are this one and `kernels.simt.lower`.

`parse(text, path, defines)` never raises for what stands in the text: a `Unit` always comes back.

    unit.kernels                    every `__global__` function, templates too: `KernelSignature`
    unit.diagnostics                what a kernel, or anything that it uses, has wrong: `Diagnostic`
    unit.diagnostics_of(entry)      the same for one kernel: "name", or "name<128, 8>" for a template
    unit.function_cursor(entry)     its definition's cursor, instantiated; raises `FrontEndError(message)`
    unit.known(cursor)              what a called function is to the interpreter (`Known` of `declared_functions`), or None where it has a
                                    body to inline.
                                    A function declared by the prelude without a body is known; with a body it is inlined like any other.
    unit.in_prelude(cursor)         it stands in the prelude: a caller's location is the one to show
    unit.location(cursor)           `ir.Location` in the shown text
    unit.text_of(cursor)            as written in the shown text
    unit.evaluate(cursor)           the value of an integer or floating constant expression, or None
    unit.binary_operator(cursor)    "+", "&&", "+=", ...
    unit.unary_operator(cursor)     "-", "!", "*", "&", "pre++", "post--", ...
    unit.for_parts(cursor)          `ForParts(init, condition, step, body)`, None for what is left out

A text that is meant to harm can still make libclang slow (templates, macros that build macros): texts of unknown origin are parsed in
the worker process, which has a deadline.
"""
