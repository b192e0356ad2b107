#!/usr/bin/env bash
# What the GitHub Action does; other build services can call it too. Settings come from the environment:
#   PARLANCE                 the program; without it the one on PATH, or one that is built from this checkout
#   PARLANCE_PATHS           files and folders, one a line (.)
#   PARLANCE_FORMAT          github (default): annotations; sarif: a report in a file
#   PARLANCE_REPORT          where the report goes (parlance.sarif in the runner's temporary folder)
#   PARLANCE_CHANGED_SINCE   only files that changed since this revision
#   PARLANCE_DENY_WARNINGS   true: warnings fail too
#   PARLANCE_ARGUMENTS       further arguments of `parlance check`, one a line
# Ends with the status of `parlance check`.
set -euo pipefail

Here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
Format=${PARLANCE_FORMAT:-github}
Report=${PARLANCE_REPORT:-${RUNNER_TEMP:-${TMPDIR:-/tmp}}/parlance.sarif}

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 2
}

# Prints the path of the program.
find_program() {
  if [[ -n ${PARLANCE:-} ]]; then
    [[ -x $PARLANCE ]] || die "PARLANCE is not a program: $PARLANCE"
    echo "$PARLANCE"
  elif command -v parlance; then
    return
  elif [[ -x $Here/../dev ]]; then
    "$Here/../dev" build
  else
    die "no parlance on PATH"
  fi
}

# Prints NAME=VALUE for the steps that follow.
output() {
  [[ -z ${GITHUB_OUTPUT:-} ]] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

Words=(check --format "$Format")
[[ -z ${PARLANCE_CHANGED_SINCE:-} ]] || Words+=(--changed-since "$PARLANCE_CHANGED_SINCE")
[[ ${PARLANCE_DENY_WARNINGS:-false} != true ]] || Words+=(--deny warnings)
while IFS= read -r Word; do
  [[ -z $Word ]] || Words+=("$Word")
done <<<"${PARLANCE_ARGUMENTS:-}"
Words+=(--)
while IFS= read -r Word; do
  [[ -z $Word ]] || Words+=("$Word")
done <<<"${PARLANCE_PATHS:-.}"

Program=$(find_program)
Status=0
case $Format in
github) "$Program" "${Words[@]}" || Status=$? ;;
sarif)
  "$Program" "${Words[@]}" >"$Report" || Status=$?
  # Without a report there is nothing to upload.
  [[ ! -s $Report ]] || output report "$Report"
  ;;
*) die "PARLANCE_FORMAT is github or sarif, not $Format" ;;
esac
output status "$Status"
exit "$Status"
