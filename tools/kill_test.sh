#!/usr/bin/env bash
# Kills a small run at random moments and resumes it, again and again:
#
#   tools/kill_test.sh [KILLS] [SEED]
#
# After each kill the run must be sound (crossriver doctor: SQLite's integrity check, every game
# replayed, every checkpoint compared with its checksums), have at least the games it had, and have
# lost no checkpoint. Expects build/crossriver. Default 30 kills.
set -euo pipefail
cd "$(dirname "$0")/.."
crossriver=${CROSSRIVER:-build/crossriver}
kills=${1:-30}
RANDOM=${2:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run=$folder/run
train=("$crossriver" train configs/train/smoke.toml --run "$run" --set loop.generations=100000
  --set loop.final_games=0 --set loop.games_per_generation=12 --set network.channels=8
  --set loop.keep_every=0)

# status KEY: a number of `crossriver status --json`.
status() {
  "$crossriver" status "$run" --json | sed -n "s/^  \"$1\": \(-\?[0-9]*\),\?\$/\1/p"
}

games=0
step=0
checkpoint=-1
for ((kill_number = 1; kill_number <= kills; ++kill_number)); do
  "${train[@]}" >"$folder/out" 2>&1 &
  process=$!
  sleep "$((RANDOM % 4)).$((RANDOM % 10))$((RANDOM % 10))"
  if ! kill -9 "$process" 2>/dev/null; then
    echo "kill $kill_number: the run had ended by itself:" >&2
    cat "$folder/out" >&2
    exit 1
  fi
  wait "$process" 2>/dev/null || true
  [ -e "$run/run.db" ] || { echo "kill $kill_number: before there was a database"; continue; }
  "$crossriver" doctor "$run" >"$folder/doctor" || { cat "$folder/doctor" >&2; exit 1; }
  now_games=$(status games)
  now_step=$(status step)
  now_checkpoint=$(status checkpoint)
  echo "kill $kill_number: $now_games games, checkpoint $now_checkpoint, step $now_step"
  if ((now_games < games || now_step < step || now_checkpoint < checkpoint)); then
    echo "lost: there were $games games, checkpoint $checkpoint, step $step" >&2
    exit 1
  fi
  games=$now_games step=$now_step checkpoint=$now_checkpoint
done
echo "$kills kills: sound, nothing lost; $games games, checkpoint $checkpoint, step $step"
