#!/usr/bin/env bash
# tools/lint.sh format      fails where clang-format 14 would change a file
# tools/lint.sh tidy BUILD  clang-tidy 14 over the folders without libtorch (clang cannot read its headers as C++20),
#                           with the compile commands of the build folder BUILD
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sources() {  # sources FOLDER... : the C++ files below
  local folder
  for folder in "$@"; do
    [[ -d $folder ]] && find "$folder" -type f \( -name '*.cpp' -o -name '*.h' \)
  done | LC_ALL=C sort
}

# The rows of the layer table whose last column says so: docs/architecture.md is the one list of what is torch-free.
folders_with_torch() {  # folders_with_torch yes|no
  sed -n "s/^| \`\([a-z_/]*\)\/\` |.*| $1 |\$/\1/p" docs/architecture.md
}

case "${1:-}" in
  format)
    sources npq app tests bench examples | xargs clang-format-14 --dry-run --Werror
    ;;
  tidy)
    build=${2:?tools/lint.sh tidy needs a build folder}
    mapfile -t folders < <(folders_with_torch no)
    sources "${folders[@]}" | grep '\.cpp$' | grep -v -e '^app/engine_main' -f <(folders_with_torch yes | sed 's/.*/^&\//') |
      xargs -P "$(nproc)" -n 4 clang-tidy-14 --quiet -p "$build" --warnings-as-errors='*'
    ;;
  *)
    echo "usage: tools/lint.sh format | tidy BUILD" >&2
    exit 2
    ;;
esac
