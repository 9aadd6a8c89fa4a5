#!/bin/sh
# Makes an AppImage of a bundle that `dev.py package --format folder` made. Not run here: its two tools come from no package registry.
#   recipe.sh cpu 0.1.0
# Needs `appimagetool` on the path, and the type-2 runtime, a file of some hundred kilobytes, named by RUNTIME.
set -eu
edition=$1
version=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
image=$root/build/package/$edition/AppDir

rm -rf "$image"
mkdir -p "$image/usr/lib"
cp -a "$root/build/package/$edition/tilescope" "$image/usr/lib/tilescope"
cp "$root/packaging/bundle/appimage/AppRun" "$image/AppRun"
cp "$root/packaging/bundle/linux/tilescope.desktop" "$image/tilescope.desktop"
cp "$root/resources/icons/tilescope.svg" "$image/tilescope.svg"
ARCH=x86_64 appimagetool --no-appstream ${RUNTIME:+--runtime-file "$RUNTIME"} "$image" "$root/dist/tilescope-$version-$edition-x86_64.AppImage"
