# One line on how far something long has come. Sourced by ./run and scripts/install-packages.
#   progress TEXT   says TEXT on the error output: rewritten in place on a terminal, elsewhere a line every 15 seconds
#   progress_end    clears the line on a terminal
progress_said=-15

progress() {
  if [ -t 2 ]; then
    printf '\r%s\033[K' "$1" >&2
  elif [ $((SECONDS - progress_said)) -ge 15 ]; then
    printf '%s\n' "$1" >&2
    progress_said=$SECONDS
  fi
}

progress_end() {
  if [ -t 2 ]; then
    printf '\r\033[K' >&2
  fi
}
