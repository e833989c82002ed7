#!/bin/bash
# Bootstrap intervals: 10,000 resamples of SummEval's grouped and pooled Kendall tau-b, beside scipy, same machine,
# same run. Ours is the whole command (start, reading 1,600 rows with their texts, four statistics, two threads);
# scipy's is the resampling alone, without start and reading.
set -euo pipefail
cd "$(dirname "$0")/.."
assay=${ASSAY:-build/release/assay}
data=${ASSAY_BENCH_DATA:-../shared/bench}
python=${PYTHON:-/usr/bin/python3}
resamples=10000
[ -x "$assay" ] || { echo "bench stats: $assay is not there: run script/build first" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -f "$data/data/summeval.jsonl" ]; then
  echo "no SummEval at $data: synthetic rows of the same shape (100 groups of 16)"
  mkdir -p "$work/data" "$work/recorded"
  awk -v out="$work" 'BEGIN { srand(7); for (g = 0; g < 100; ++g) for (s = 0; s < 16; ++s) {
      truth = rand();
      printf "{\"id\":\"%d-%d\",\"group\":\"g%d\",\"system\":\"s%d\",\"human\":{\"coherence\":%.6f}}\n",
          g, s, g, s, 1 + int(truth * 12) / 3 > (out "/data/summeval.jsonl");
      printf "{\"id\":\"%d-%d\",\"rougeL_f\":%.5f}\n", g, s, truth + rand() > (out "/recorded/rouge155m_summeval.jsonl");
    } }'
  data=$work
fi
human=$data/data/summeval.jsonl
scores=$data/recorded/rouge155m_summeval.jsonl

# Seconds of the best of five.
best() {
  local best=999 begin end
  for _ in 1 2 3 4 5; do
    begin=$(date +%s.%N)
    "$@" >"$work/out"
    end=$(date +%s.%N)
    best=$(echo "$begin $end $best" | awk '{ t = $2 - $1; print (t < $3) ? t : $3 }')
  done
  echo "$best"
}
meta() {
  "$assay" meta "$scores" --score rougeL_f --human "$human" --dimension coherence --format json --quiet "$@"
}
grouped=$(best meta --level grouped --bootstrap $resamples)
pooled=$(best meta --level pooled --bootstrap $resamples)
bare=$(best meta --level grouped --bootstrap 0)
printf 'assay    grouped %.3f s   pooled %.3f s   (of that start and reading %.3f s)\n' "$grouped" "$pooled" "$bare"
if ! "$python" -c 'import scipy' 2>/dev/null; then
  echo "python3-scipy is not installed: nothing to compare with"
  exit 0
fi
"$python" bench/stats_scipy.py "$human" "$scores" rougeL_f coherence $resamples 100 >"$work/scipy.json"
"$python" - "$work/scipy.json" "$grouped" "$pooled" <<'PY'
import json, sys
scipy = json.load(open(sys.argv[1]))
grouped, pooled = float(sys.argv[2]), float(sys.argv[3])
print(f"scipy    grouped {scipy['grouped']:.1f} s   pooled {scipy['pooled']:.1f} s   "
      f"grouped, group taus computed once {scipy['grouped_clever']:.3f} s   (reading {scipy['reading']:.3f} s)")
print(f"faster   grouped {scipy['grouped'] / grouped:.0f}x   pooled {scipy['pooled'] / pooled:.0f}x   (at least 50x wanted)")
PY
