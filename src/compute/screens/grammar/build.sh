#!/usr/bin/env bash
# Makes parser.js of the grammar beside it, or with --check says if it is not what the grammar gives.
set -euo pipefail
cd "$(dirname "$0")"

target=parser.js
[ "${1:-}" != --check ] || target=$(mktemp --suffix=.js)
npx --no-install peggy --format es --allowed-start-rules Expression,List --output "$target" screen.peggy
[ "$target" = parser.js ] || cmp "$target" parser.js
