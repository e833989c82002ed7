#!/usr/bin/env bash
# The built-in judge: agreement with people through `assay eval` and `assay meta`, and rows per second through the whole
# command on one core, all four SummEval dimensions.
#   script/bench builtin
set -euo pipefail
cd "$(dirname "$0")/.."
assay=build/release/assay
data=../shared/bench/data
[ -d "$data" ] || { echo "builtin: the benchmark rows are not at $data" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

spearman() { # NAME ROWS LEVEL eval-options...
  local name=$1 rows=$2 level=$3
  shift 3
  "$assay" eval "$rows" --quiet -o "$work/r.jsonl" "$@"
  "$assay" meta "$work/r.jsonl" --human "$rows" --level "$level" --bootstrap 0 --format csv -o "$work/m.csv"
  awk -F, -v name="$name" 'NR==1 {for (i=1;i<=NF;i++) c[$i]=i; next} {printf "%-26s %-18s %.3f\n", name, $c["dimension"], $c["spearman"]}' "$work/m.csv"
}
four="coherence,consistency,fluency,relevance"
echo "Spearman with people (SummEval grouped, the others pooled)"
for form in soft hard; do
  flag=(); [ $form = soft ] && flag=(--soft)
  spearman "SummEval, $form" "$data/summeval.jsonl" grouped -d "$four" "${flag[@]}"
  spearman "QAGS-CNN, $form" "$data/qags_cnndm.jsonl" pooled -t factual "${flag[@]}"
  spearman "QAGS-XSUM, $form" "$data/qags_xsum.jsonl" pooled -t factual "${flag[@]}"
  spearman "Topical-Chat, $form" "$data/topical_chat.jsonl" pooled -t dialogue "${flag[@]}"
done
python3 - "$data/summeval.jsonl" >"$work/bare.jsonl" <<'P'
import json, sys
for line in open(sys.argv[1]):
    row = json.loads(line); row.pop("references", None); print(json.dumps(row))
P
spearman "SummEval without references" "$work/bare.jsonl" grouped -d relevance --soft

echo "Speed, one core, results written, all four dimensions (processor time of the whole command)"
for _ in 1 2 3 4 5 6 7 8; do cat "$data/summeval.jsonl"; done | python3 -c '
import json, sys
for n, line in enumerate(sys.stdin):
    row = json.loads(line); row["id"] = f"{n}-" + row["id"]; print(json.dumps(row))' >"$work/many.jsonl"
rows=$(wc -l <"$work/many.jsonl")
TIMEFORMAT='%U %S'
used=$( { time taskset -c 0 "$assay" eval "$work/many.jsonl" -j 1 -d "$four" --quiet -o "$work/out.jsonl"; } 2>&1 )
awk -v n="$rows" -v t="$used" 'BEGIN { split(t, a, " "); s = a[1] + a[2]; printf "%d rows, %.2f s, %d rows per second and core\n", n, s, n / s }'
