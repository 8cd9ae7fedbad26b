#!/bin/sh
# Adds to each image that the given files name the digest that its tag has now, so that a release is always built and run
# from the same images. The release workflow runs it.
#
#   scripts/pin-images.sh Dockerfile docker-compose.yml
set -eu

for file; do
  for image in $(sed -nE 's/^(FROM| +image:) ([^ @$]+:[^ @$]+)( .*)?$/\2/p' "$file" | sort -u); do
    digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
    echo "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}' || {
      echo "$image has no digest: $digest" >&2
      exit 1
    }
    sed -E "s#^(FROM| +image:) $image( .*)?\$#\\1 $image@$digest\\2#" "$file" >"$file.pinned"
    mv "$file.pinned" "$file"
    echo "$file: $image@$digest"
  done
done
