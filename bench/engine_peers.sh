#!/usr/bin/env bash
# promptfoo and autoevals against the same fake server, 256 in flight: 1,000 and 5,000 judged texts at 50 ms, where the rate cannot pass
# 5,120 calls/s, and 5,000 at 5 ms, where latency bounds nobody. Installed from npm once, into .cache/peers. Called by bench/engine.sh
# with a scratch folder.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1
server=$PWD/build/release/tests/fake_server
assay=$PWD/build/release/assay
peers=${PEERS:-$PWD/.cache/peers}
command -v npm >/dev/null || { echo "peers: npm is not installed (apt install npm)"; exit 1; }
mkdir -p "$peers"
if [ ! -d "$peers/node_modules/promptfoo" ]; then
  (cd "$peers" && npm init -y >/dev/null && npm install --no-audit --no-fund node@22 autoevals@0.3 openai promptfoo@0.123 >"$work/npm.log" 2>&1) ||
    { tail -n 3 "$work/npm.log"; exit 1; }
fi
node=$peers/node_modules/node/bin/node
[ -x "$node" ] || node=$(command -v node)

serve() { # REPLY
  "$server" --mode fixed --reply "$1" --latency-ms "$latency" >"$work/peer_port" &
  pid=$!
  for _ in $(seq 100); do grep -q port "$work/peer_port" 2>/dev/null && break; sleep 0.05; done
  port=$(awk '{print $2}' "$work/peer_port")
}
end_server() { kill $pid; wait $pid 2>/dev/null || true; }
show() { tail -n 1 "$work/time" | awk -v name="$1" -v n="$n" '{printf "%-22s %8.0f calls/s  %7.3f ms CPU/call  %5.0f MB\n", name, n / $1, 1000 * ($2 + $3) / n, $4 / 1024}'; }
export OPENAI_API_KEY=none NO_PROXY=127.0.0.1 PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_CONFIG_DIR="$work/promptfoo"

run_assay() {
  serve '{"s1":"yes"}'
  rm -f "$work"/peer.db*
  /usr/bin/env time -f '%e %U %S %M' -o "$work/time" "$assay" eval "$work/peer_rows.jsonl" -d fluency --threshold 0 --judge openai:m \
    --base-url "http://127.0.0.1:$port/v1" --store "$work/peer.db" -j 256 --quiet -o "$work/peer_out.jsonl"
  end_server
  show "assay (ledger on)"
}

run_autoevals() {
  serve '{"choice":"A"}'
  cp bench/engine_autoevals.mjs "$peers/"
  (cd "$peers" && /usr/bin/env time -f '%e %U %S %M' -o "$work/time" "$node" engine_autoevals.mjs "$work/peer_rows.jsonl" "http://127.0.0.1:$port/v1" 256)
  end_server
  show "autoevals"
}

run_promptfoo() {
  serve '{"pass":true,"score":1,"reason":"fine"}'
  python3 - "$work" "$port" <<'P'
import json, sys
work, port = sys.argv[1:]
rows = [json.loads(line) for line in open(f"{work}/peer_rows.jsonl")]
config = {"prompts": ["{{text}}"], "providers": ["echo"],
          "defaultTest": {"options": {"provider": {"id": "openai:chat:m", "config": {"apiBaseUrl": f"http://127.0.0.1:{port}/v1", "apiKey": "none"}}},
                          "assert": [{"type": "llm-rubric", "value": "The text is fluent."}]},
          "tests": [{"vars": {"text": row["output"]}} for row in rows]}
json.dump(config, open(f"{work}/promptfoo.json", "w"))
P
  rm -f "$work/pf.json"
  (cd "$peers" && /usr/bin/env time -f '%e %U %S %M' -o "$work/time" "$node" node_modules/promptfoo/dist/src/main.js eval -c "$work/promptfoo.json" --no-cache -j 256 \
    --no-table --no-progress-bar -o "$work/pf.json" >"$work/pf.log" 2>&1) || true
  end_server
  [ -s "$work/pf.json" ] && show "promptfoo" || { echo "promptfoo wrote nothing:"; tail -n 3 "$work/pf.log"; }
}

compare() { # TEXTS LATENCY
  n=$1 latency=$2
  echo "$n texts, 256 in flight, $latency ms: whole command"
  python3 - "$n" >"$work/peer_rows.jsonl" <<'P'
import json, sys
words = "the old harbour town rebuilt its long stone pier after winter storms had broken it and people came again".split()
for i in range(int(sys.argv[1])):
    print(json.dumps({"id": f"p{i}", "source": "A source.", "output": " ".join(words[(i + w) % len(words)] for w in range(119)).capitalize() + f" {i}."}))
P
  run_assay
  run_autoevals
  run_promptfoo
}

compare 1000 50
compare 5000 50
compare 5000 5
