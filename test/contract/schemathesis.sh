#!/usr/bin/env bash
# Schemathesis generates requests from the API description and compares the responses of a started
# server with it: schemathesis.sh [SECONDS [EXAMPLES]], by default a short run.
set -euo pipefail
seconds=${1:-12}
examples=${2:-5}
cd "$(dirname "$0")/../.."
root=$PWD
# Only this needs it.
[ -x .venv/bin/schemathesis ] || .venv/bin/pip install --quiet schemathesis==4.32.5

folder=$(mktemp -d)
export TAPEWORKS_DATA_DIR=$folder/data TAPEWORKS_PORT=0 TAPEWORKS_LOG_LEVEL=silent
# The whole sandbox of 613 symbols took as long to fill as all requests.
mkdir -p "$TAPEWORKS_DATA_DIR/sandbox"
echo '{"fromDay":18631,"stocks":20}' >"$TAPEWORKS_DATA_DIR/sandbox/sandbox.json"
node bin/tapeworks.js start --json >"$folder/started" &
server=$!
trap 'kill $server; wait $server || true; rm -rf "$folder"' EXIT

# field FILE NAME: a field of a JSON document.
field() {
  node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))[process.argv[2]]' "$1" "$2"
}

for _ in $(seq 180); do
  grep -q '}' "$folder/started" && break
  sleep 1
done
node bin/tapeworks.js keys create --mode test --account schemathesis --label schemathesis \
  --scopes all,accounts:write --limit none --json >"$folder/key"
key=$(field "$folder/key" rawKey)

# It leaves its notes where it runs.
cd "$folder"
# Left out: what takes the key's own rights away, and what would send events to generated hosts.
"$root/.venv/bin/schemathesis" --config-file "$root/test/contract/schemathesis.toml" run \
  "$(field "$folder/started" address)/v1/openapi.json" \
  --header "X-API-Key: $key" --header "Authorization: Bearer $key" \
  --exclude-operation-id revokeKey --exclude-operation-id revokeAccountKey \
  --exclude-operation-id changeAccount --exclude-operation-id createWebhook \
  --phases examples,coverage,fuzzing --max-examples "$examples" --max-time "$seconds" --seed 1 --continue-on-failure
