#!/usr/bin/env bash
# BLEU beside python3-nltk and ROUGE-L beside a plain Python table, on the same rows, machine and run. Ours is the
# whole command: start, reading, scoring on all cores, writing. Theirs is the scoring alone.
#   script/bench metrics [ROWS]       ROWS: JSON Lines with output and references [SummEval]
set -euo pipefail
cd "$(dirname "$0")/.."
rows=${1:-../shared/bench/data/summeval.jsonl}
assay=${ASSAY:-build/release/assay}
python=/usr/bin/python3
[ -f "$rows" ] || { echo "metrics: no rows at $rows; give a file: script/bench metrics ROWS" >&2; exit 2; }
$python -c 'import nltk' 2>/dev/null || { echo "metrics: python3-nltk is not installed (apt install python3-nltk)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The fastest of five: the machine may have other work.
fastest() {
  local best=""
  for _ in 1 2 3 4 5; do
    local begin end
    begin=$(date +%s%N)
    "$@" >/dev/null
    end=$(date +%s%N)
    local took=$((end - begin))
    if [ -z "$best" ] || [ "$took" -lt "$best" ]; then best=$took; fi
  done
  awk -v n="$best" 'BEGIN { printf "%.4f", n / 1e9 }'
}

compare() {
  local name=$1 plain=$2
  shift 2
  $python bench/metrics_plain.py "$plain" "$rows" 1 >"$work/plain.json"
  local seconds
  seconds=$(fastest "$assay" metric "$rows" --quiet -o "$work/ours.jsonl" "$@")
  $python bench/metrics_compare.py "$name" "$work/plain.json" "$work/ours.jsonl" "$seconds"
}

echo "cores: $(nproc)"
compare "BLEU-4" bleu --metric bleu-4 --tokenize none --smooth none
compare "ROUGE-L" rouge-l --metric rouge-l --convention nlg-eval --references mean
# Ours alone, for the record: every metric by itself.
count=$(wc -l <"$rows")
for metric in rouge-1 rouge-2 rouge-l bleu-4 chrf meteor; do
  seconds=$(fastest "$assay" metric "$rows" --quiet -o "$work/ours.jsonl" --metric "$metric")
  awk -v m="$metric" -v s="$seconds" -v n="$count" 'BEGIN { printf "%-8s %.3f s, %d rows/s\n", m, s, n / s }'
done
seconds=$(fastest "$assay" metric "$rows" --quiet -o "$work/ours.jsonl" --metric rouge-1,rouge-2,rouge-l --convention rouge155)
awk -v s="$seconds" -v n="$count" 'BEGIN { printf "rouge155 1+2+L %.3f s, %d rows/s\n", s, n / s }'
