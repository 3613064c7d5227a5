#!/usr/bin/env bash
# Run a command inside a SLURM cluster of two nodes on this machine's loopback, and take the cluster down afterwards.
#
#   tests/slurm/cluster.sh COMMAND [ARGUMENT ...]
#
# The cluster is munged, slurmctld and two slurmd as the current user, with keys, configuration, state and logs in a
# temporary folder of its own: nothing of an installed SLURM is read or changed. The command and its jobs find the
# cluster through SLURM_CONF. Needs root (slurmd starts jobs as their owner) and Debian's slurm-wlm and munge.
set -euo pipefail

main() {
  [[ $# -gt 0 ]] || stop_with "say which command to run: tests/slurm/cluster.sh COMMAND [ARGUMENT ...]"
  [[ "$(id -u)" -eq 0 ]] || stop_with "slurmd starts jobs as their owner and must be run by root; run this as root"
  local program
  for program in munged slurmctld slurmd sinfo scontrol srun; do
    command -v "$program" > /dev/null ||
      stop_with "$program is not installed; install it with: apt-get install slurm-wlm munge"
  done

  FOLDER=$(mktemp --directory "${TMPDIR:-/tmp}/divlogic-slurm.XXXXXX")
  DAEMONS=()
  trap take_down EXIT
  chmod 755 "$FOLDER"
  write_configuration
  start_daemons
  wait_until_idle

  "$@"
}

stop_with() {
  echo "cluster.sh: $1" >&2
  exit 1
}

write_configuration() {
  local name cpus memory
  name=$(hostname -s)
  cpus=$((($(nproc) + 1) / 2))
  memory=$(awk '/^MemTotal/ {print int($2 / 2048)}' /proc/meminfo)
  mkdir "$FOLDER/state" "$FOLDER/spool"
  # task/none and linuxproc: a container rarely lets anyone write to its control groups.
  # MinJobAge keeps finished jobs in squeue's answers, since there is no accounting database for sacct to ask.
  cat > "$FOLDER/slurm.conf" << END
ClusterName=loopback
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$FOLDER/munge.socket
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$FOLDER/state
SlurmdSpoolDir=$FOLDER/spool/%n
SlurmctldPidFile=$FOLDER/slurmctld.pid
SlurmdPidFile=$FOLDER/slurmd-%n.pid
SlurmctldLogFile=$FOLDER/slurmctld.log
SlurmdLogFile=$FOLDER/slurmd-%n.log
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=2
MinJobAge=900
NodeName=DEFAULT CPUs=$cpus RealMemory=$memory State=UNKNOWN
NodeName=node1 NodeHostname=$name NodeAddr=127.0.0.1 Port=$(free_port)
NodeName=node2 NodeHostname=$name NodeAddr=127.0.0.1 Port=$(free_port)
PartitionName=loopback Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
END
  # Snakemake takes every SLURM_* variable from a job before it calls srun, SLURM_CONF too; this srun brings it back.
  mkdir "$FOLDER/bin"
  printf '#!/bin/sh\nSLURM_CONF=%s exec %s "$@"\n' "$FOLDER/slurm.conf" "$(command -v srun)" > "$FOLDER/bin/srun"
  chmod 755 "$FOLDER/bin/srun"
  export SLURM_CONF="$FOLDER/slurm.conf" PATH="$FOLDER/bin:$PATH"
  dd if=/dev/urandom of="$FOLDER/munge.key" bs=1024 count=1 status=none
  chmod 400 "$FOLDER/munge.key"
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start_daemons() {
  # --force: the temporary folder's parent is writable by all, which munged would refuse.
  in_background munged --foreground --force --key-file "$FOLDER/munge.key" --socket "$FOLDER/munge.socket" \
    --pid-file "$FOLDER/munged.pid" --seed-file "$FOLDER/munged.seed" --log-file "$FOLDER/munged.log"
  until_true 10 test -S "$FOLDER/munge.socket" || explain munged
  in_background slurmctld -D -f "$SLURM_CONF"
  until_true 20 scontrol ping || explain slurmctld
  local node
  for node in node1 node2; do
    in_background slurmd -D -f "$SLURM_CONF" -N "$node"
  done
}

in_background() {
  "$@" >> "$FOLDER/$1.output" 2>&1 &
  DAEMONS+=("$!")
}

wait_until_idle() {
  until_true 30 nodes_are_idle || explain slurmd
}

nodes_are_idle() {
  [[ "$(sinfo --noheader --format '%D %T')" == "2 idle" ]]
}

# Try a command until it succeeds, at most so many seconds.
until_true() {
  local seconds=$1 attempt
  shift
  for ((attempt = 0; attempt < seconds * 5; attempt++)); do
    "$@" > /dev/null 2>&1 && return 0
    sleep 0.2
  done
  return 1
}

explain() {
  tail -n 20 "$FOLDER/$1"*.log "$FOLDER/$1.output" >&2 || true
  stop_with "$1 did not come up; its last messages are above"
}

# The daemons are ended in reverse order by their own process ids; jobs still running are cancelled first.
take_down() {
  local status=$? index
  scancel --user "$(id -un)" > /dev/null 2>&1 || true
  for ((index = ${#DAEMONS[@]} - 1; index >= 0; index--)); do
    kill "${DAEMONS[index]}" 2> /dev/null || true
    wait "${DAEMONS[index]}" 2> /dev/null || true
  done
  rm -rf "$FOLDER"
  exit "$status"
}

main "$@"
