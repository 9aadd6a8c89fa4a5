"""Charts. Modules here import pyqtgraph, so they are imported only after the window is shown."""
