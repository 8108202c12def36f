#!/usr/bin/env bash
# tools/results.sh NPQ [ROOT] : makes what is shown of the committed results anew, with the program NPQ. For every experiment
# results/NAME/: its report, results/NAME/report.html and report.md; a table, results/NAME.md, also between its marks in
# README.md; and a picture, results/NAME.svg.
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

# A table stands between <!-- results/NAME.md --> and <!-- end -->.
awk '
  /^<!-- results\/[a-z0-9_]+\.md -->$/ { print; while ((getline line < $2) > 0) print line; skipping = 1 }
  /^<!-- end -->$/ { skipping = 0 }
  !skipping { print }
' README.md >README.md.part
mv README.md.part README.md
