#!/usr/bin/env bash
# What the ledger costs: appending (with how long an answer waits until it is on the disk), looking up, linking. On the disk that holds
# the temporary folder, and in memory, where a sync costs nothing and what is left is the group commit's own wait.
#   script/bench ledger [RECORDS]
set -euo pipefail
cd "$(dirname "$0")/.."
records=${1:-50000}
echo "on the disk"
build/release/bench/bench_ledger "$records"
if [ -d /dev/shm ]; then
  echo "in memory"
  build/release/bench/bench_ledger "$records" /dev/shm
fi
