"""Exports: what the program writes for others to look at and to read.

- `choice`: what the window exports, and which moments of the timeline. `staged`: what of the stage can be exported.
- `kinds`: which file is which kind of export, by its ending; how large a picture or clip may be.
- `curves`: the measured curves of some variants as a table. `picture_text`: title, caption, and where a picture comes from.
- `clips`: pictures, one after the other, into animated files.
- `display_list`: what painters draw at each step, packed; `player_page`: a page that plays it (its script is in `resources/player`).
"""
