"""Exports of pictures of what is shown, drawn by the same painters into files.

- `export_view`: what can be drawn, as widgets of their own that are never shown, and their colours; `exported_stage`: what the stage
  shows now, be it an animation, two launches beside each other, real runs or a whole program; `exported_charts`: charts, bars and maps.
- `figure`: one page, an export view with its words, as PNG, SVG or PDF; `clip`: many pages as an animated file.
- `display_recorder`: what a widget draws, as values; `player_recording`: a range of steps, recorded, as a page for a
  browser; `played`: what is recorded of each kind of picture; `recorded_lesson`: a lesson as such a page.
- `feature`: the commands and their buttons; `controller`: the choice and what is being written; `panel`: options and preview.
- `report_of_selection`: the lab report on what is ticked; `report_writer`: writes a report with its figures.
"""
