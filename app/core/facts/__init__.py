"""Numbers that lessons and challenges speak of, found by executing kernels or looking up recordings: never written down beside them.

- `fact`: what can be asked, as a frozen value.
- `read`: a fact from the fields of a file.
- `launches`, `caches`, `teams`, `records`, `orders`, `counters`, `rounding`, `exchanges`, `settings`: the answers, by where they come from,
  each from a table of counts by name.
- `answer`: the answer to any fact, found in a tracing process.
- `expression`: arithmetic and comparisons on such numbers.
"""
