#!/usr/bin/env bash
# tools/results.sh NPQ [ROOT] : makes all pages of the committed results again, with the program NPQ. For every experiment
# results/NAME/: its report, results/NAME/report.html and report.md; a table, results/NAME.md; and a picture, results/NAME.svg.
# The tables also stand between their marks in docs/results.md, and the main one, results/main.md, in README.md.
set -euo pipefail
npq=$(realpath "$1")
cd "${2:-$(dirname "${BASH_SOURCE[0]}")/..}"

for folder in results/*/; do
  folder=${folder%/}
  name=$(basename "$folder")
  picture=(--picture "results/$name.svg")
  [[ $name == peptides ]] && picture=()  # errors have no bars
  "$npq" report "$folder" --title "NPQ: first results of $name" --out "$folder/report.html" --markdown "$folder/report.md" \
    --brief "results/$name.md" "${picture[@]}" >/dev/null
done

# The main table: the network alone and the three queues that have several seeds.
awk -F ' [|] ' 'NR <= 2 || $2 ~ /^MPNN( \+ NPQ_[MW]( plus)?)?$/' results/dijkstra.md >results/main.md

# A table stands between <!-- results/NAME.md --> and <!-- end -->.
for page in README.md docs/results.md; do
  awk '
    /^<!-- results\/[a-z0-9_]+\.md -->$/ { print; while ((getline line < $2) > 0) print line; skipping = 1 }
    /^<!-- end -->$/ { skipping = 0 }
    !skipping { print }
  ' "$page" >"$page.part"
  mv "$page.part" "$page"
done
