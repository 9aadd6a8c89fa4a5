"""Exports of pictures of what is shown, drawn by the same painters into files.

- `scenes`: what can be drawn, as widgets of their own that are never shown, and their colours; `stage_scenes`: what the stage shows now, be
  it an animation, two launches beside each other, real runs or a whole program; `chart_scenes`: charts, bars and maps.
- `figure`: one page, a scene with its words, as PNG, SVG or PDF; `clip`: many pages as an animated file.
- `display_recorder`: what a scene draws, as values; `player_recording`: a range of steps, recorded, as a page for a
  browser; `player_scenes`: what is recorded of each kind of picture; `recorded_lesson`: a lesson as such a page.
- `feature`: the commands and their buttons; `controller`: the choice and what is being written; `panel`: options and preview.
- `report_of_selection`: the lab report on what is ticked; `report_writer`: writes a report with its figures.
"""
