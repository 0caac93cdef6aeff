#!/usr/bin/env bash
# What the action of this folder runs: replays $RECORDS on $BACKENDS with $LOCKSTEP (both separated
# by blanks, as $ARGUMENTS are), and leaves its reports in $FOLDER. Exits as lockstep does.
set -euo pipefail
read -ra records <<< "$RECORDS"
read -ra backends <<< "$BACKENDS"
read -ra arguments <<< "${ARGUMENTS:-}"
if [ "${#records[@]}" -eq 0 ]; then
  echo "::error::records: name a record or a folder of records"
  exit 2
fi
mkdir -p "$FOLDER"
echo "folder=$FOLDER" >> "${GITHUB_OUTPUT:-/dev/null}"
# A run before this one may have left its own.
rm -rf "$FOLDER/why"
exec "$LOCKSTEP" replay "${records[@]}" "${backends[@]/#/--backend=}" "${arguments[@]}" \
  --html "$FOLDER/index.html" --junit "$FOLDER/junit.xml" --json "$FOLDER/summary.json" \
  --explain "$FOLDER/why"
