#!/usr/bin/env bash
# tools/python_env.sh FOLDER : a Python environment in FOLDER with the packages of tools/python_packages.txt, which are
# not in Debian. Only tests use it. Made once and whole: afterwards neither the network nor any time is needed.
set -euo pipefail
list=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/python_packages.txt
folder=${1:?usage: tools/python_env.sh FOLDER}

mkdir -p "$folder"
exec {lock}>"$folder.lock"
flock "$lock"  # several builds share one environment
# The list lies in the environment once everything of it is installed.
if cmp -s "$list" "$folder/packages.txt" && "$folder/bin/python" -c '' 2>/dev/null; then exit 0; fi

python=/usr/bin/python3  # Debian's, for which python3-venv was installed, whatever else comes first in PATH
[[ -x $python ]] || python=python3
echo "Installing Python packages into $folder (once, from the network): $(grep -v '^#' "$list" | xargs)" >&2
# No cache: nothing outside the project folder is ours to write. Wheels only: building one would take many minutes. The list
# is whole, so nothing else comes along.
if ! { "$python" -m venv --clear "$folder" &&
       "$folder/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check --only-binary :all: --no-deps \
         --requirement "$list"; }; then
  echo "The Python packages could not be installed (the reason is above). They are needed once, so try again with a" \
       "network; python3-venv must be installed." >&2
  exit 1
fi
cp "$list" "$folder/packages.txt"
