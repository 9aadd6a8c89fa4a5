"""What the program writes for others to look at and to read.

- `measurements`: the times that were measured here, as CSV or JSON; `curves`: those of some variants, of one provenance.
- `kinds`: which file is which kind of export, by its ending; `sizes`: how large a picture or clip may be.
- `moments`: which moments of a timeline a clip shows.
- `words`: the caption and the line that says where a picture comes from.
- `clips`: pictures, one after the other, into animated files.
"""
