"""Contents of the inspector: occupancy, roofline, findings, costs of other settings, what the compiler made of the shown launch."""
