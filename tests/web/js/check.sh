#!/usr/bin/env bash
# Checks the scripts and style sheets of the pages: types, style rules, unit tests. Without Node.js it says so.
set -euo pipefail
cd "$(dirname "$0")/../../.."
major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/') || true
if [ "${major:-0}" -lt 20 ] || ! command -v npm >/dev/null; then
  echo "The page scripts are not checked: Node.js 20 or later and npm are not installed."
  exit 0
fi
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --loglevel=error
npm run --silent types
npm run --silent style
npm run --silent test
