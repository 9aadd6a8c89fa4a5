"""Foundations of the core: observable values, background work, texts in two languages, files, time."""
