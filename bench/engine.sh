#!/usr/bin/env bash
# The engine under load, against our own fake server (a separate process, fixed latency, 120-word texts), beside promptfoo and
# autoevals in the same run where npm can install them.
#   script/bench engine [quick]      quick: without the peers and the long runs
set -euo pipefail
cd "$(dirname "$0")/.."
assay=$PWD/build/release/assay
server=$PWD/build/release/tests/fake_server
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
export NO_PROXY=127.0.0.1

start_server() { # LATENCY -> port in $port
  "$server" --mode fixed --reply '{"s1":"yes","s2":"yes","s3":"yes","s4":"yes","s5":"yes","s6":"yes"}' --latency-ms "$1" >"$work/port" &
  server_pid=$!
  for _ in $(seq 100); do grep -q port "$work/port" 2>/dev/null && break; sleep 0.05; done
  port=$(awk '{print $2}' "$work/port")
}
stop_server() { kill "$server_pid" 2>/dev/null || true; wait "$server_pid" 2>/dev/null || true; }

make_rows() { # N: texts of 6 sentences and 120 words
  python3 - "$1" <<'P'
import json, sys
words = "the old harbour town rebuilt its long stone pier after winter storms had broken it and people came again".split()
for i in range(int(sys.argv[1])):
    sentences = [" ".join(words[(i + s * 3 + w) % len(words)] for w in range(19)).capitalize() + f" {i}." for s in range(6)]
    print(json.dumps({"id": f"r{i}", "source": "A source.", "output": " ".join(sentences)}))
P
}

# One run: calls per second, share of the ideal rate, processor time a call, peak memory.
one() { # JOBS LATENCY ROWS
  make_rows "$3" >"$work/rows.jsonl"
  start_server "$2"
  rm -f "$work"/l.db*
  /usr/bin/env time -f '%e %U %S %M' -o "$work/time" "$assay" eval "$work/rows.jsonl" -d fluency --judge openai:m --base-url "http://127.0.0.1:$port/v1" \
    --store "$work/l.db" -j "$1" --quiet -o "$work/out.jsonl"
  stop_server
  awk -v j="$1" -v l="$2" -v n="$3" '{ideal = j / (l / 1000); rate = n / $1;
    printf "%5d in flight  %4d ms  %7d calls  %7.0f calls/s  %5.1f %% of ideal  %.3f ms CPU/call  %4.0f MB\n", j, l, n, rate, 100 * rate / ideal, 1000 * ($2 + $3) / n, $4 / 1024}' "$work/time"
}

command -v time >/dev/null || [ -x /usr/bin/time ] || { echo "engine: GNU time is not installed (apt install time)" >&2; exit 2; }
echo "assay, ledger on"
one 64 50 13000
one 256 50 50000
one 1024 250 40000
one 256 0 40000
if [ "${1:-}" != quick ]; then
  echo "memory at 256 in flight, 10,000 and 200,000 rows"
  one 256 5 10000
  one 256 5 200000
fi

echo "start-up"
python3 - "$assay" <<'P'
import subprocess, sys, time
runs = []
for _ in range(20):
    begin = time.perf_counter(); subprocess.run([sys.argv[1], "--version"], stdout=subprocess.DEVNULL); runs.append(time.perf_counter() - begin)
print(f"assay --version: {1000 * sorted(runs)[10]:.1f} ms (median of 20)")
P

[ "${1:-}" = quick ] && exit 0
rows=${KNOWN_ROWS:-1000000}
echo "reading $rows rows that are all in the ledger"
make_rows "$rows" >"$work/rows.jsonl"
start_server 0
rm -f "$work"/l.db*
run=("$assay" eval "$work/rows.jsonl" -d fluency --judge openai:m --base-url "http://127.0.0.1:$port/v1" --store "$work/l.db" -j 256 --quiet -o "$work/out.jsonl")
"${run[@]}"
/usr/bin/env time -f '%e %U %S %M' -o "$work/time" "${run[@]}"
stop_server
awk -v n="$rows" '{printf "%d rows, %.1f s, %.0f rows/s, %.3f ms CPU a row, %.0f MB\n", n, $1, n / $1, 1000 * ($2 + $3) / n, $4 / 1024}' "$work/time"

if command -v perf >/dev/null; then
  echo "where the time goes, in percent of the processor time (a function with all it calls)"
  head -n 100000 "$work/rows.jsonl" >"$work/some.jsonl"
  run[2]=$work/some.jsonl
  perf record -q -o "$work/perf" -e cpu-clock -F 400 --call-graph dwarf,16384 "${run[@]}" >/dev/null 2>&1
  perf report -i "$work/perf" --children --sort sym --percent-limit 2 -g none --stdio 2>/dev/null |
    awk '/assay::/ && !/cli::add_|_Function_handler|Engine::run/ {sub(/%/, "", $1); $2 = $3 = ""; print $0}' | head -n 40
fi
rm -f "$work"/*

bash bench/engine_peers.sh "$work" || echo "engine: the peers could not be run here"
