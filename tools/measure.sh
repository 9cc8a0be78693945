#!/usr/bin/env bash
# How strong a run of training has become, and how it came there:
#
#   tools/measure.sh RUN FOLDER [ENGINE]
#
# Leaves in FOLDER, a file each: a ladder of the run's checkpoints with its curve, another one of
# the run's quarters, more visits against fewer, the policy alone and searches against the baselines,
# matches with ENGINE (the command of a UCI program that knows the variant, such as fairy-stockfish),
# openings, the report, and what the variant's suite shows. Games are kept in FOLDER too: the same
# command goes on where it was stopped, with the checkpoint that was the newest when it began. Of a
# run of several variants the first is measured. Expects build/crossriver; CROSSRIVER names another.
# CROSSRIVER_GAMES: of a match, an even number, 100; the ladders have 20, 12 and 3 times as many.
set -euo pipefail
if [ $# -lt 2 ]; then
  sed -n '2,/^set /{s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
crossriver=${CROSSRIVER:-$(dirname "$0")/../build/crossriver}
run=$1 folder=$2 engine=${3:-}
games=${CROSSRIVER_GAMES:-100}
if ! [[ $games =~ ^[0-9]+$ ]] || [ "$games" -lt 4 ] || [ $((games % 2)) -ne 0 ]; then
  echo "CROSSRIVER_GAMES=$games: expected an even number, 4 or more" >&2
  exit 2
fi
mkdir -p "$folder"

# In a player's name % and ? have a meaning.
escaped() {
  local text=${1//%/%25}
  printf '%s' "${text//\?/%3F}"
}

# number FILE: of a checkpoint.
number() {
  local name
  name=$(basename "$1")
  echo $((10#${name%%.*}))
}

checkpoints=("$run"/checkpoints/*.network.safetensors)
[ -e "$folder/newest" ] || number "${checkpoints[-1]}" >"$folder/newest"
newest=net:$(escaped "$run")@$(cat "$folder/newest")
variant=$(sed -n 's/^variant = "\(.*\)"/\1/p' "$run/config.toml")

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

versus policy-random 0 random
versus policy-alphabeta-100 0 alphabeta:100
for nodes in 100 1000 10000; do
  versus "alphabeta-$nodes" 400 "alphabeta:$nodes"
  [ -z "$engine" ] || versus "engine-$nodes" 800 "uci:$(escaped "$engine")?nodes=$nodes"
done
measure quarters ladder "$run" --checkpoints 5 --even --visits 100 --games $((12 * games)) \
  --interval 0 --store "$folder/quarters.db"
measure ladder ladder "$run" --checkpoints 12 --visits 100 --games $((20 * games)) --interval 0 \
  --store "$folder/ladder.db" --svg "$folder/ladder.svg"
measure visits ladder --variant "$variant" --with "$newest?visits=100" --with "$newest?visits=400" \
  --with "$newest?visits=1600" --games $((3 * games)) --interval 0 --block $((games / 4)) \
  --store "$folder/visits.db"
measure openings openings "$run"
measure report report "$run" --newest 10000 --out "$folder/report.html"
# A variant of a user's own has no suite.
[[ $variant != */* && $variant != *.toml ]] || exit 0
for quarter in 0 1 2 3 4; do
  at=$(number "${checkpoints[quarter * (${#checkpoints[@]} - 1) / 4]}")
  measure "solve-$at" solve "$variant" --net "$run@$at" --visits 100,1000
done
