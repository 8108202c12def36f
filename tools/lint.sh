#!/usr/bin/env bash
# tools/lint.sh format   fails where clang-format 14 would change a file
# tools/lint.sh tidy     clang-tidy 14 over the folders without libtorch (clang cannot read its headers as C++20)
# tools/lint.sh changed  the same over what is not on origin yet, in the last commit or not committed: nothing changed,
#                        nothing to wait for
# tools/lint.sh list     which files `changed` looks at
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

sources_without_torch() {
  local folders
  mapfile -t folders < <(folders_with_torch no)
  sources "${folders[@]}" | grep '\.cpp$' | grep -v -e '^app/engine_main' -f <(folders_with_torch yes | sed 's/.*/^&\//')
}

# A header is read with the source beside it. Without history only what is not committed counts.
changed_sources() {
  local base head
  head=$(git rev-parse --verify --quiet HEAD) || return 0
  base=$(git merge-base HEAD origin/HEAD 2>/dev/null || true)
  if [[ -z $base || $base == "$head" ]]; then base=$(git rev-parse --verify --quiet HEAD~1) || base=$head; fi
  LC_ALL=C comm -12 <(sources_without_torch) \
    <({ git diff --name-only "$base"; git ls-files --others --exclude-standard; } | sed 's/\.h$/.cpp/' | LC_ALL=C sort -u)
}

tidy() {  # tidy FILE... on standard input
  cmake --preset tidy >/dev/null
  xargs -P "$(nproc)" -n 4 clang-tidy-14 --quiet -p build/tidy --warnings-as-errors='*'
}

case "${1:-}" in
  format)
    sources npq app tests bench examples | xargs clang-format-14 --dry-run --Werror
    ;;
  tidy)
    sources_without_torch | tidy
    ;;
  changed)
    changed=$(changed_sources)
    if [[ -n $changed ]]; then tidy <<<"$changed"; fi
    ;;
  list)
    changed_sources
    ;;
  *)
    echo "usage: tools/lint.sh format | tidy | changed | list" >&2
    exit 2
    ;;
esac
