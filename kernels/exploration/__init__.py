"""Explorations: a launch or a program executed again, otherwise: other schedules for a race, other sizes and data at the edges."""
