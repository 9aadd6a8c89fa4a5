"""Sections of the inspector: settings, device, occupancy, counters, findings, roofline."""
