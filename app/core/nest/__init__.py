"""What the stage of a CPU kernel shows beyond its matrices: loops and registers, the caches, and how they have done so far.

`views` (the views and their numbers), `operands` (what a step holds in registers), `choice` (which caches), `question` and `study` (what
is asked of the cache model, and when), `caches` (its history, step by step), `addresses` (what a cache line holds), `cache_words` and
`story` (a miss in words), `rates` (hit rates, the stream of addresses), `tally` (counters), `line_misses` (beside the source), `strip`
(over the timeline), `working_set` (what a tile step takes), `other_settings` (what it is compared with).
"""
