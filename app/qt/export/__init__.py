"""Pictures of what is shown, drawn by the same painters into files.

- `scenes`: what can be drawn, as widgets of their own that are never shown: views of the stage, charts, bars and maps.
- `stage_scenes`: what the stage shows now, be it an animation, two launches beside each other or real runs.
- `colours`: light, dark and print; `page`: a scene with its words; `devices`: where a page is drawn, sharp at any scale.
- `figure`: one page as PNG, SVG or PDF; `outlines` makes the SVG independent of fonts; `clip`: many pages as an animated file.
- `feature`: the command and the panel; `options` and `preview` are its parts.
- `saving`: the file that a dialog's answer means.
- `headless`: the same from the command line.
"""
