#!/usr/bin/env bash
# A private SLURM with virtual nodes on this machine, for trying jobs: Debian, as root. It touches nothing outside its folder.
#
#   scripts/slurm-sandbox.sh up      installs SLURM if needed, starts it, and prints how to use it
#   scripts/slurm-sandbox.sh env     prints the line that points sbatch, srun … at it: source <(scripts/slurm-sandbox.sh env)
#   scripts/slurm-sandbox.sh down    stops it; --wipe also removes its folder
#
# Environment: SLURM_SANDBOX (folder), SLURM_NODES (2), SLURM_CPUS (per node; default all), SLURM_PORT (17817).
set -euo pipefail

folder=${SLURM_SANDBOX:-${TMPDIR:-/tmp}/evouct-slurm}
nodes=${SLURM_NODES:-2}
cpus=${SLURM_CPUS:-$(nproc)}
port=${SLURM_PORT:-17817}
export SLURM_CONF=$folder/slurm.conf

fail() { printf 'slurm-sandbox: %s\n' "$*" >&2; exit 1; }

# Whether the process in a pid file is alive and is the expected program. Its executable may be called slurmd-wlm.
alive() {
    local pid exe
    pid=$(cat "$1" 2>/dev/null) && [ -n "$pid" ] && exe=$(readlink "/proc/$pid/exe") || return 1
    case ${exe##*/} in "$2"*) ;; *) return 1 ;; esac
}

install_slurm() {
    local missing=() package
    for package in slurmctld slurmd slurm-client munge; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    mkdir -p "$folder/log"
    apt-cache policy slurmctld | grep -q 'Candidate: [0-9]' || apt-get -o DPkg::Lock::Timeout=600 update -qq
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends \
        "${missing[@]}" >"$folder/log/apt.log" 2>&1 || { tail -5 "$folder/log/apt.log" >&2; fail "cannot install ${missing[*]}"; }
}

configure() {
    local host node
    host=$(hostname -s)
    mkdir -p "$folder"/{ctld,log,munge,run}
    chmod 755 "$folder"
    # munge refuses a key that others can read, and a folder above its socket that others can write.
    [ -s "$folder/munge/key" ] || (umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
    chmod 711 "$folder/munge"
    chmod 400 "$folder/munge/key"
    {
        cat <<EOF
ClusterName=sandbox
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$folder/ctld
SlurmdSpoolDir=$folder/spool.%n
TmpFS=$folder/tmp.%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
MpiDefault=none
ReturnToService=2
SlurmdTimeout=15
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=5,sched_interval=5
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
KillWait=5
MinJobAge=3600
OverTimeLimit=0
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
EOF
        for node in $(seq 1 "$nodes"); do
            echo "NodeName=node$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 100 + node)) CPUs=$cpus RealMemory=4000 State=UNKNOWN"
        done
        echo "PartitionName=debug Nodes=node[1-$nodes] Default=YES MaxTime=60 DefaultTime=10 State=UP"
    } >"$SLURM_CONF.new"
    mv "$SLURM_CONF.new" "$SLURM_CONF"
}

start() {
    local node
    if ! alive "$folder/run/munged.pid" munged; then
        rm -f "$folder"/munge/socket*
        /usr/sbin/munged --force --num-threads=2 --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
            --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" --seed-file="$folder/munge/seed" \
            2>"$folder/log/munged.err" || fail "munged does not start: $(tail -1 "$folder/log/munged.err")"
    fi
    alive "$folder/run/slurmctld.pid" slurmctld || /usr/sbin/slurmctld -f "$SLURM_CONF"
    for node in $(seq 1 "$nodes"); do
        # PMIx keeps its sockets in TmpFS: nodes of one machine must not share it.
        mkdir -p "$folder/spool.node$node" "$folder/tmp.node$node"
        chmod 1777 "$folder/tmp.node$node"
        alive "$folder/run/slurmd.node$node.pid" slurmd || /usr/sbin/slurmd -N "node$node" -f "$SLURM_CONF"
    done
    for _ in $(seq 1 150); do
        if [ "$(sinfo -h -N -o %T 2>/dev/null | grep -cE '^(idle|mixed|allocated)$')" = "$nodes" ]; then
            printf 'up: %s nodes of %s CPUs in %s\nsource <(%s env)\n' "$nodes" "$cpus" "$folder" "$0"
            return
        fi
        sleep 0.2
    done
    tail -n 3 "$folder"/log/*.log >&2
    fail "not ready after 30 s"
}

down() {
    [ -d "$folder/run" ] || { echo "nothing to stop"; return; }
    local file pid program
    if alive "$folder/run/slurmctld.pid" slurmctld; then
        timeout 10 squeue -h -o %A 2>/dev/null | sort -u | xargs -r timeout 10 scancel -f 2>/dev/null || true
        for _ in $(seq 1 50); do [ -z "$(timeout 5 squeue -h 2>/dev/null)" ] && break; sleep 0.2; done
    fi
    for file in "$folder"/run/slurmd.*.pid "$folder/run/slurmctld.pid" "$folder/run/munged.pid"; do
        program=$(basename "$file")
        program=${program%%.*}
        if alive "$file" "$program"; then
            pid=$(cat "$file")
            kill -TERM "$pid"
            for _ in $(seq 1 50); do alive "$file" "$program" || break; sleep 0.1; done
            ! alive "$file" "$program" || kill -KILL "$pid"
        fi
        rm -f "$file"
    done
    [ "${1:-}" != --wipe ] || rm -rf "$folder"
    echo "down"
}

case "${1:-}" in
    up)
        [ "$(id -u)" = 0 ] || fail "its daemons need root"
        install_slurm
        configure
        start
        ;;
    env) echo "export SLURM_CONF=$SLURM_CONF" ;;
    down) down "${2:-}" ;;
    *) fail "expected up, env or down, found ${1:-nothing}" ;;
esac
