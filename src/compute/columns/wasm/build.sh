#!/usr/bin/env bash
# Builds engine.wasm from the sources beside it, or with --check says if it is not what they give.
# The compiler is fetched when it is needed: with its optimizer it takes 100 MB.
set -euo pipefail
cd "$(dirname "$0")"

target=engine.wasm
[ "${1:-}" != --check ] || target=$(mktemp --suffix=.wasm)
npx --yes --package assemblyscript@0.28.20 -- asc index.ts --outFile "$target" \
  --optimizeLevel 3 --shrinkLevel 0 --enable simd --noAssert --runtime stub --importMemory \
  --use abort=
[ "$target" = engine.wasm ] || cmp "$target" engine.wasm
