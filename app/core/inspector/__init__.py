"""What follows from the settings of the shown launch: its occupancy, roofline, its findings, the cost of other settings, and the compiler's part."""
