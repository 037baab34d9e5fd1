#!/usr/bin/env bash
# Builds the image of Containerfile with buildah, which needs no daemon, and runs in it all shards of a sweep and the merge,
# as the user that the image has. The result must be, byte for byte, that of the program outside.
#
# The image to build with is no download: the Go that is here, beside busybox, stands in for docker.io/library/golang.
# Exits with 77 where buildah cannot be installed or does not run, and says why.
set -euo pipefail
cd "$(dirname "$0")/.."

temp=$(mktemp -d)
readonly temp
trap 'rm -rf "$temp"' EXIT

cannot() {
	echo "no image: $1"
	exit 77
}

install_buildah() {
	! type -P buildah busybox >/dev/null || return 0
	command -v apt-get >/dev/null || cannot "buildah and busybox are not both here, and this is no Debian"
	timeout 60 apt-get update -qq || cannot "no list of packages"
	DEBIAN_FRONTEND=noninteractive timeout 240 apt-get install -qq --no-install-recommends buildah busybox-static \
		>"$temp/apt.log" 2>&1 || cannot "apt-get could not install buildah: $(tail -n 1 "$temp/apt.log")"
}

# b runs a command of buildah with a storage of its own, and without a runtime for containers.
b() {
	local command=$1
	shift
	BUILDAH_ISOLATION=chroot buildah --storage-driver vfs --root "$temp/storage" --runroot "$temp/run" "$command" "$@"
}

# stand_in makes an image with a shell and Go, which takes modules from /proxy.
stand_in() {
	local c
	c=$(b from scratch)
	b copy --quiet "$c" "$(command -v busybox)" /bin/busybox >/dev/null
	b copy --quiet "$c" "$(go env GOROOT)" /usr/local/go >/dev/null
	b run "$c" -- /bin/busybox ln -s busybox /bin/sh
	b run "$c" -- /bin/busybox mkdir /tmp /root
	b config --env PATH=/usr/local/go/bin:/bin --env GOPATH=/go --env GOPROXY=file:///proxy --env GOSUMDB=off "$c"
	b commit --quiet --rm "$c" docker.io/library/golang:1.26 >/dev/null
}

[[ $(id -u) == 0 ]] || cannot "only root may build one here"
install_buildah
stand_in || cannot "buildah does not run here"

go mod download
b bud --quiet --pull-never --file deploy/Containerfile --tag simulate \
	--volume "$(go env GOMODCACHE)/cache/download:/proxy:ro" . >/dev/null

study=(crash-loop --param session.timeout.ms=10s..45s/3 --replications 5)
go run ./cmd/simulate sweep "${study[@]}" --out "$temp/alone" >/dev/null

mkdir "$temp/shards"
chown 65532:65532 "$temp/shards"
pod=$(b from --pull-never localhost/simulate)
inside() { b run --volume "$temp/shards:/shards" --workingdir /shards "$@"; }
for index in 0 1 2 3; do
	inside --env JOB_COMPLETIONS=4 --env JOB_COMPLETION_INDEX=$index "$pod" -- /simulate sweep "${study[@]}"
done
inside "$pod" -- /simulate merge . --out result >/dev/null
diff --recursive --brief "$temp/alone" "$temp/shards/result"
[[ $(stat --format=%u "$temp/shards/result/sweep.csv") == 65532 ]] || {
	echo "the image does not run as its own user" >&2
	exit 1
}
echo "the image is $(du --human-readable --total --apparent-size "$(b mount "$pod")" | tail -n 1 | cut -f 1); its merged result is that of the program outside, byte for byte"
