"""What a trace or a launch means for the hardware: pure functions from either to a small frozen result."""
