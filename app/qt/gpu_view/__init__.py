"""Stage of a CUDA launch, drawn: one view a file, its geometry and painters beside it, the stage that joins them, and the timeline."""
