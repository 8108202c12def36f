#!/usr/bin/env bash
# ./run from another folder: without arguments it trains, evaluates and ends with the path of its report, and a second time
# keeps what is finished; with arguments it is npq itself, whose exit code and standard output come through untouched.
set -euo pipefail
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "run_test: $*" >&2; exit 1; }

export NPQ_FIRST_RUNS=$work/first NPQ_FIRST_FLAGS="--hidden 8 --batch 2 --steps 11 --evaluate-every 5"
"$root/run" >first.txt
[[ $(tail -n 1 first.txt) == "$work/first/report.html" ]] || fail "./run ends with '$(tail -n 1 first.txt)'"
grep -q 'One seed is one draw and decides nothing; 11 steps, where the paper trains 30000' first.txt ||
  fail "./run does not say what its numbers are worth"
grep -q 'MPNN + NPQ_W' first/report.html || fail "the report does not show the model with the queue"
[[ $(grep -c 'class="microscope"' first/report.html) == 2 ]] || fail "the report does not hold the microscopes of both models"
grep -q 'test 64, best' first/report.html || fail "the report has no score on 64 nodes"
before=$(sha256sum first/*/last.safetensors)
rm first/npq_w/evaluation.json
"$root/run" >second.txt
[[ $(grep -c 'is trained already' second.txt) -eq 2 ]] || fail "a second ./run trains again"
[[ $(sha256sum first/*/last.safetensors) == "$before" ]] || fail "a second ./run changed finished weights"
[[ -s first/npq_w/evaluation.json ]] || fail "a second ./run does not make up for a missing evaluation"

[[ $("$root/run" --version 2>/dev/null) == "$("$root/build/release/bin/npq" --version)" ]] ||
  fail "./run --version prints more than npq --version"
status=0
"$root/run" data show no_such_algorithm >/dev/null 2>&1 || status=$?
[[ $status -eq 2 ]] || fail "a usage error ended with exit code $status instead of 2"

"$root/run" data export minimum --nodes 4 --samples 1 --seed 1 --out here >/dev/null
[[ -f here/minimum.safetensors ]] || fail "a relative path was not taken from the caller's folder"
