"""Execution of what the stage shows, in the tracing process: a launch, its cost, a race's schedules, its edges; with each question."""
