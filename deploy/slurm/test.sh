#!/usr/bin/env bash
# Runs the walk of docs/cluster.md on a real Slurm of one node, preempts a task on its way, and holds the merged result against
# that of one process, byte for byte. Slurm has a folder and ports of its own on the loopback interface.
#
# Exits with 77 where Slurm cannot be installed or started, and says why.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
readonly here

temp=$(mktemp -d)
readonly temp
started=() array=

# finish ends what this script started, and nothing else.
finish() {
	if [[ -n $array ]]; then
		timeout 10 scancel "$array" || true
	fi
	for ((i = ${#started[@]} - 1; i >= 0; i--)); do
		kill "${started[i]}" 2>/dev/null || true
	done
	wait
	rm -rf "$temp"
}
trap finish EXIT

# cannot ends the test where the machine does not let it run.
cannot() {
	echo "no Slurm: $1"
	exit 77
}

# fail ends the test with the logs of Slurm and of the jobs.
fail() {
	echo "$1" >&2
	tail -n 20 "$temp"/*.log "$temp"/work/*.log >&2 || true
	exit 1
}

install_slurm() {
	! type -P slurmctld slurmd sbatch munged >/dev/null || return 0
	command -v apt-get >/dev/null || cannot "it is not installed, and this is no Debian"
	[[ $(id -u) == 0 ]] || cannot "it is not installed, and only root may do that"
	timeout 60 apt-get update -qq || cannot "no list of packages"
	DEBIAN_FRONTEND=noninteractive timeout 240 apt-get install -qq --no-install-recommends slurmctld slurmd slurm-client munge \
		>"$temp/apt.log" 2>&1 || cannot "apt-get could not install it: $(tail -n 1 "$temp/apt.log")"
}

# free_port prints a port on which nothing listens.
free_port() {
	local port
	while port=$((20000 + RANDOM % 10000)); (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
	echo "$port"
}

# configure writes slurm.conf. A task that is preempted goes on when its credential has expired.
configure() {
	local host
	host=$(hostname -s)
	chmod 755 "$temp" # munged refuses a folder that others cannot enter
	mkdir "$temp"/{munge,state,spool,work}
	(umask 077 && head -c 64 /dev/urandom >"$temp/munge/key")
	cat >"$temp/slurm.conf" <<-CONF
		ClusterName=simulate
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthInfo=socket=$temp/munge/socket,cred_expire=6
		CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
		SlurmctldPort=$(free_port)
		SlurmdPort=$(free_port)
		SlurmctldPidFile=$temp/slurmctld.pid
		SlurmdPidFile=$temp/slurmd.pid
		SlurmctldLogFile=$temp/slurmctld.log
		SlurmdLogFile=$temp/slurmd.log
		StateSaveLocation=$temp/state
		SlurmdSpoolDir=$temp/spool
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerParameters=batch_sched_delay=0,bf_interval=1
		NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
		PartitionName=all Nodes=$host Default=YES
	CONF
}

start_slurm() {
	export SLURM_CONF=$temp/slurm.conf
	munged --foreground --socket="$temp/munge/socket" --key-file="$temp/munge/key" --pid-file="$temp/munge/pid" \
		--seed-file="$temp/munge/seed" 2>"$temp/munged.log" &
	started+=($!)
	slurmctld -D 2>/dev/null &
	started+=($!)
	slurmd -D 2>/dev/null &
	started+=($!)
	SECONDS=0
	while ((SECONDS < 30)); do
		[[ $(timeout 5 sinfo --noheader --format=%T 2>/dev/null) != idle ]] || return 0
		sleep 0.2
	done
	tail -n 5 "$temp"/*.log || true
	cannot "its node is not idle after 30 s"
}

# done_within reports whether a job leaves the queue within so many seconds.
done_within() {
	for ((i = 0; i < $2 * 5; i++)); do
		[[ -n $(squeue --noheader --jobs="$1" 2>/dev/null) ]] || return 0
		sleep 0.2
	done
	return 1
}

# preempt puts a task back into the queue when its file has runs, though not all. It need not wait for long there.
preempt() {
	local task=$1 file=$2
	for ((i = 0; i < 200; i++)); do
		[[ ! -f $file || $(wc -l <"$file") -lt 3 ]] || break
		sleep 0.05
	done
	scontrol requeue "$task" || fail "task $task could not be preempted; did it take too short?"
}

install_slurm
configure
start_slurm
mkdir "$temp/bin"
(cd "$here/../.." && go build -o "$temp/bin/simulate" ./cmd/simulate)
export PATH=$temp/bin:$PATH
cd "$temp/work"
study=(crash-loop --param session.timeout.ms=10s..45s/5 --replications 200)
SECONDS=0
simulate sweep "${study[@]}" --out alone >/dev/null
echo "one process: $SECONDS s"

SECONDS=0
mkdir shards
array=$(sbatch --parsable --array=1-4 --chdir=shards "$here/sweep.sbatch" "${study[@]}")
merge=$(sbatch --parsable --dependency=afterany:"$array" "$here/merge.sbatch" shards --out merged)
preempt "${array}_1" shards/crash-loop-1-of-4.runs.jsonl
done_within "$merge" 90 || fail "the jobs are not done after 90 s"
echo "an array of 4 tasks, one of them preempted, and the merge: $SECONDS s"

grep -q 'has [0-9]* of them already' shards/sweep-"${array}"_1.log || fail "the preempted task did not go on from its runs"
diff --recursive --brief alone merged >&2 || fail "the merged result is not that of one process"
echo "Slurm $(sinfo --version | cut -d ' ' -f 2): the merged result is that of one process, byte for byte"
