"""What follows from the settings of the shown launch: occupancy, roofline, findings, costs of other settings, what the compiler made."""
