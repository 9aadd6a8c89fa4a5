#!/bin/sh
# Makes an AppImage of a bundle that `dev.py package --format folder` made: the type-2 runtime, followed by a file system in one file.
#   RUNTIME=runtime-x86_64 recipe.sh cpu 0.1.0
# Needs mksquashfs, which Debian has in squashfs-tools, and the runtime, a file of some hundred kilobytes, which no package registry has.
# Tried with a stand-in for it.
set -eu
edition=$1
version=$2
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$root/build/package/$edition
image=$root/dist/tilescope-$version-$edition-x86_64.AppImage
: "${RUNTIME:?names the file of the type-2 runtime}"

rm -rf "$work/AppDir" "$work/squashfs"
mkdir -p "$work/AppDir/usr/lib" "$root/dist"
cp -a "$work/tilescope" "$work/AppDir/usr/lib/tilescope"
cp "$root/packaging/bundle/appimage/AppRun" "$root/packaging/bundle/linux/tilescope.desktop" "$work/AppDir"
cp "$root/resources/icons/tilescope.svg" "$work/AppDir/tilescope.svg"
ln -s tilescope.svg "$work/AppDir/.DirIcon"
chmod 755 "$work/AppDir/AppRun"
date=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
(unset SOURCE_DATE_EPOCH; mksquashfs "$work/AppDir" "$work/squashfs" -quiet -no-progress -comp zstd -root-owned -mkfs-time "$date" -all-time "$date")
cat "$RUNTIME" "$work/squashfs" > "$image"
chmod 755 "$image"
rm -rf "$work/AppDir" "$work/squashfs"
