"""Exports of pictures of what is shown, drawn by the same painters into files.

- `scenes`: what can be drawn, as widgets of their own that are never shown, and their colours; `stage_scenes`: what the stage shows now, be
  it an animation, two launches beside each other or real runs; `chart_scenes`: charts, bars and maps.
- `figure`: one page, a scene with its words, as PNG, SVG or PDF; `clip`: many pages as an animated file.
- `display_recorder`: what a scene draws, as values; `player`: a range of steps, recorded, as a page for a browser.
- `feature`: the commands and their buttons; `controller`: the choice and what is being written; `panel`: options and preview.
- `report_of_selection`: the lab report on what is ticked; `report_writer`: writes a report with its figures.
"""
