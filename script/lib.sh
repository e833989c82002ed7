# Shared by the scripts: sourced, never run.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
export LC_ALL=C.UTF-8

say() { printf '%s\n' "$*" >&2; }

# The cores, but no more compilers than memory allows (about 1.5 GB each).
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(($(awk '/MemAvailable/ {print $2}' /proc/meminfo) / 1500000))
  [ "$memory" -lt 1 ] && memory=1
  [ "$cores" -lt "$memory" ] && echo "$cores" || echo "$memory"
}
