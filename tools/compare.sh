#!/usr/bin/env bash
# Compares settings of training at equal cost:
#
#   tools/compare.sh CONFIG LIST FOLDER [MINUTES] [GAMES]
#
# A line of LIST is a name and settings: "lr4 training.learning_rate=4e-3"; empty lines and those
# that begin with # are passed over. Each is a run of CONFIG in FOLDER/NAME with one worker and so
# many minutes of processor time (10), as many runs at a time as there are cores. Their last
# networks then play a ladder of GAMES games (3000) with 100 visits a move. The same command goes
# on where it was stopped. Expects build/crossriver.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 3 ]; then
  sed -n '2,/^set /{s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
crossriver=${CROSSRIVER:-build/crossriver}
config=$1 list=$2 folder=$3 minutes=${4:-10} games=${5:-3000}
mkdir -p "$folder"

# train NAME SETTINGS: one run; a finished one leaves the file NAME.done.
train() {
  local name=$1 setting
  shift
  [ ! -e "$folder/$name.done" ] || return 0
  local settings=(loop.workers=1 training.threads=1 loop.generations=1000000 loop.eval_every=0
    loop.final_games=0 "loop.processor_minutes=$minutes" "$@")
  local arguments=()
  for setting in "${settings[@]}"; do arguments+=(--set "$setting"); done
  echo "$name: begins, see $folder/$name.log"
  "$crossriver" train "$config" --run "$folder/$name" "${arguments[@]}" >>"$folder/$name.log" 2>&1 ||
    { echo "$name: stopped, see $folder/$name.log" >&2; return 1; }
  touch "$folder/$name.done"
}

lines=$(grep -vE '^[[:space:]]*(#|$)' "$list")
export -f train
export crossriver config folder minutes
xargs -P "$(nproc)" -I LINE bash -c 'train LINE' <<<"$lines"
names=()
while read -r name _; do names+=("$name"); done <<<"$lines"

variant=$(sed -n 's/^variant = "\(.*\)"/\1/p' "$folder/${names[0]}/config.toml")
players=()
for name in "${names[@]}"; do players+=(--with "net:$folder/$name@latest?visits=100"); done
"$crossriver" ladder --variant "$variant" "${players[@]}" --games "$games" --interval 0 --block 32 \
  --store "$folder/ladder.db"
