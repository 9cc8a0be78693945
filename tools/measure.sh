#!/usr/bin/env bash
# How strong a run of training has become, and how it came there:
#
#   tools/measure.sh RUN FOLDER [ENGINE]
#
# Leaves in FOLDER, a file each: a ladder of the run's checkpoints with its curve, another one of
# the run's quarters, more visits against fewer, the policy alone and searches against the baselines,
# matches with ENGINE (a UCI program that knows the variant, such as fairy-stockfish), what the
# suites show, openings and the report. Games are kept in FOLDER too: the same command goes on where
# it was stopped. Expects build/crossriver; CROSSRIVER names another. CROSSRIVER_GAMES: of a match,
# 100; the ladders have 20 and 12 times as many.
set -euo pipefail
if [ $# -lt 2 ]; then
  sed -n '2,/^set /{s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
crossriver=${CROSSRIVER:-$(dirname "$0")/../build/crossriver}
run=$1 folder=$2 engine=${3:-}
games=${CROSSRIVER_GAMES:-100}
mkdir -p "$folder"
variant=$(sed -n 's/^variant = "\(.*\)"/\1/p' "$run/config.toml")
newest=net:$run@latest

# measure NAME COMMAND...: what the command says, into NAME.txt; one that is done is not begun again.
measure() {
  local name=$1
  shift
  [ ! -e "$folder/$name.txt" ] || return 0
  echo "$name"
  "$crossriver" "$@" >"$folder/$name.part" 2>"$folder/$name.log" ||
    { echo "$name: stopped, see $folder/$name.log" >&2; return 1; }
  mv "$folder/$name.part" "$folder/$name.txt"
}

# versus NAME VISITS OPPONENT
versus() {
  measure "$1" match "$newest?visits=$2" "$3" --variant "$variant" --games "$games" \
    --store "$folder/$1.db"
}

measure ladder ladder "$run" --checkpoints 12 --visits 100 --games $((20 * games)) --interval 0 \
  --block 16 --store "$folder/ladder.db" --svg "$folder/ladder.svg"
measure quarters ladder "$run" --checkpoints 5 --even --visits 100 --games $((12 * games)) \
  --interval 0 --block 16 --store "$folder/quarters.db"
measure visits ladder --variant "$variant" --with "$newest?visits=100" --with "$newest?visits=400" \
  --with "$newest?visits=1600" --games $((3 * games)) --interval 0 --block $((games / 4)) \
  --store "$folder/visits.db"
versus policy-random 0 random
versus policy-alphabeta-100 0 alphabeta:100
for nodes in 100 1000 10000; do
  versus "alphabeta-$nodes" 400 "alphabeta:$nodes"
  [ -z "$engine" ] || versus "engine-$nodes" 800 "uci:$engine?nodes=$nodes"
done
checkpoints=("$run"/checkpoints/*.network.safetensors)
for quarter in 0 1 2 3 4; do
  file=$(basename "${checkpoints[quarter * (${#checkpoints[@]} - 1) / 4]}")
  number=$((10#${file%%.*}))
  measure "solve-$number" solve "$variant" --net "$run@$number" --visits 100,1000
done
measure openings openings "$run"
measure report report "$run" --newest 10000 --out "$folder/report.html"
