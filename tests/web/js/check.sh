#!/usr/bin/env bash
# Checks the scripts and style sheets of the pages: types, style rules, unit tests. Without Node.js it says so.
set -euo pipefail
cd "$(dirname "$0")/../../.."
major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/') || true
if [ "${major:-0}" -lt 18 ] || ! command -v npm >/dev/null; then
  echo "The page scripts are not checked: Node.js 18 or later and npm are not installed."
  exit 0
fi
# npm ls compares node_modules with package.json; it needs no network.
npm ls >/dev/null 2>&1 || npm ci --no-audit --no-fund --loglevel=error
npm run --silent types
if [ "$major" -ge 20 ]; then
  npm run --silent style
else
  echo "The style sheets are not checked: stylelint needs Node.js 20 or later."
fi
npm run --silent test
