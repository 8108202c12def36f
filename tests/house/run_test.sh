#!/usr/bin/env bash
# ./run from another folder: without arguments the tour, which ends with the official splits; with arguments npq itself,
# whose exit code and standard output come through untouched.
set -euo pipefail
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "run_test: $*" >&2; exit 1; }

"$root/run" >tour.txt
grep -q '^\$ npq data show dijkstra' tour.txt || fail "the tour shows no trace"
[[ $(tail -n 1 tour.txt) == "90 splits, "*"all match" ]] || fail "the tour ends with '$(tail -n 1 tour.txt)'"

[[ $("$root/run" --version 2>/dev/null) == "$("$root/build/release/bin/npq" --version)" ]] ||
  fail "./run --version prints more than npq --version"
status=0
"$root/run" data show no_such_algorithm >/dev/null 2>&1 || status=$?
[[ $status -eq 2 ]] || fail "a usage error ended with exit code $status instead of 2"

"$root/run" data export minimum --nodes 4 --samples 1 --seed 1 --out here >/dev/null
[[ -f here/minimum.safetensors ]] || fail "a relative path was not taken from the caller's folder"
