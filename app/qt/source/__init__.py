"""Source pane and what is around it while a text is edited: header, diagnostics, launch."""
