"""Makes the packages: one folder that PyInstaller collects, checked and trimmed, and from it an archive and a Debian package."""
