#!/bin/sh
# Signs the application that PyInstaller made, has it notarised and puts it into a disk image. Not run here: no such system was at hand.
#   finish.sh build/package/cpu/Tilescope.app dist/tilescope-0.1.0-cpu-macos.dmg
# TILESCOPE_IDENTITY: "Developer ID Application: ..."; without it the application is signed for this machine only.
# TILESCOPE_NOTARY: the profile that `xcrun notarytool store-credentials` keeps; without it nothing is sent to Apple.
set -eu
application=$1
image=$2
folder=$(dirname "$0")

codesign --force --deep --timestamp --options runtime --entitlements "$folder/entitlements.plist" \
    --sign "${TILESCOPE_IDENTITY:--}" "$application"
codesign --verify --deep --strict "$application"

hdiutil create -volname Tilescope -srcfolder "$application" -ov -format ULFO "$image"
if [ -n "${TILESCOPE_NOTARY:-}" ]; then
    codesign --sign "$TILESCOPE_IDENTITY" --timestamp "$image"
    xcrun notarytool submit "$image" --keychain-profile "$TILESCOPE_NOTARY" --wait
    xcrun stapler staple "$image"
fi
