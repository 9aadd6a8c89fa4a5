"""Timing: what is to be measured, as the page of times has it chosen, and the tuner."""
