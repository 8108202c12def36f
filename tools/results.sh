#!/usr/bin/env bash
# tools/results.sh NPQ [ROOT] : makes what is shown of the committed results anew, with the program NPQ: results/report.html
# and report.md, a table and a picture for every experiment, and the tables between the marks of README.md.
set -euo pipefail
npq=$(realpath "$1")
cd "${2:-$(dirname "${BASH_SOURCE[0]}")/..}"

for folder in results/*/; do
  name=$(basename "$folder")
  "$npq" report "results/$name" --brief "results/$name.md" --picture "results/$name.svg" >/dev/null
  grep -q '<rect' "results/$name.svg" || rm "results/$name.svg"  # errors of peptides have no bars
done
"$npq" report results --title "NPQ: first results" --out results/report.html --markdown results/report.md >/dev/null

# A table stands between <!-- results/NAME.md --> and <!-- end -->.
awk '
  /^<!-- results\/[a-z0-9_]+\.md -->$/ { print; while ((getline line < $2) > 0) print line; skipping = 1 }
  /^<!-- end -->$/ { skipping = 0 }
  !skipping { print }
' README.md >README.md.part
mv README.md.part README.md
