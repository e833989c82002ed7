#!/usr/bin/env bash
# BLEU beside python3-nltk and ROUGE-L beside a plain Python table, on the same rows, machine and run. Both sides are
# timed for the scoring alone, rows already in memory, fastest of several passes; ours on all cores. The whole command
# is timed too.
#   script/bench metrics [ROWS]       ROWS: JSON Lines with output and references [SummEval]
set -euo pipefail
cd "$(dirname "$0")/.."
rows=${1:-../shared/bench/data/summeval.jsonl}
assay=${ASSAY:-build/release/assay}
bench=${BENCH_METRICS:-build/release/bench/bench_metrics}
python=/usr/bin/python3
[ -f "$rows" ] || { echo "metrics: no rows at $rows; give a file: script/bench metrics ROWS" >&2; exit 2; }
$python -c 'import nltk' 2>/dev/null || { echo "metrics: python3-nltk is not installed (apt install python3-nltk)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cores=$(nproc)

# Wall seconds of a command, the fastest of five: the machine may have other work.
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

# compare NAME PLAIN PASSES -- METRIC CONVENTION RULE [plain] -- options of the command
compare() {
  local name=$1 plain=$2 passes=$3
  shift 4
  local metric=$1 convention=$2 rule=$3
  shift 3
  local extra=()
  if [ "$1" = plain ]; then extra=(plain); shift; fi
  shift
  $python bench/metrics_plain.py "$plain" "$rows" "$passes" >"$work/plain.json"
  "$bench" "$metric" "$convention" "$rule" "$cores" 20 "$rows" "${extra[@]}" >"$work/ours.json"
  local command
  command=$(fastest "$assay" metric "$rows" --quiet -o "$work/ours.jsonl" --metric "$metric" --convention "$convention" \
    --references "$rule" "$@")
  $python bench/metrics_compare.py "$name" "$work/plain.json" "$work/ours.json" "$command"
}

echo "cores: $cores"
compare "BLEU-4" bleu 3 -- bleu-4 standard joint plain -- --tokenize none --smooth none
compare "ROUGE-L" rouge-l 1 -- rouge-l nlg-eval mean --
# Ours alone, for the record: every metric by itself, the whole command.
count=$(wc -l <"$rows")
for metric in rouge-1 rouge-2 rouge-l bleu-4 chrf meteor; do
  seconds=$(fastest "$assay" metric "$rows" --quiet -o "$work/ours.jsonl" --metric "$metric")
  awk -v m="$metric" -v s="$seconds" -v n="$count" 'BEGIN { printf "%-8s %.3f s, %d rows/s\n", m, s, n / s }'
done
seconds=$(fastest "$assay" metric "$rows" --quiet -o "$work/ours.jsonl" --metric rouge-1,rouge-2,rouge-l --convention rouge155)
awk -v s="$seconds" -v n="$count" 'BEGIN { printf "rouge155 1+2+L %.3f s, %d rows/s\n", s, n / s }'
