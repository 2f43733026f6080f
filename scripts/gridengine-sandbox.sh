#!/usr/bin/env bash
# A private Grid Engine of one node on this machine, for trying jobs: Debian, as root. It touches nothing outside its folder.
#
#   scripts/gridengine-sandbox.sh up      installs Grid Engine if needed, starts it, and prints how to use it
#   scripts/gridengine-sandbox.sh env     prints the lines that point qsub, qstat … at it: source <(scripts/gridengine-sandbox.sh env)
#   scripts/gridengine-sandbox.sh down    stops it; --wipe also removes its folder
#
# Environment: GRIDENGINE_SANDBOX (folder), GRIDENGINE_SLOTS (default all cores), GRIDENGINE_PORT (17901, and the next one).
set -euo pipefail

folder=${GRIDENGINE_SANDBOX:-${TMPDIR:-/tmp}/evouct-gridengine}
slots=${GRIDENGINE_SLOTS:-$(nproc)}
port=${GRIDENGINE_PORT:-17901}
programs=/usr/lib/gridengine
export SGE_ROOT=$folder SGE_CELL=default SGE_QMASTER_PORT=$port SGE_EXECD_PORT=$((port + 1))

fail() { printf 'gridengine-sandbox: %s\n' "$*" >&2; exit 1; }

# The number of the daemon of this folder, if it is alive.
daemon() {
    local pid
    for pid in $(pgrep -x "$1" || true); do
        if { tr "\0" "\n" <"/proc/$pid/environ"; } 2>/dev/null | grep -qx "SGE_ROOT=$folder"; then echo "$pid"; fi
    done
}

install_gridengine() {
    local missing=() package
    for package in gridengine-master gridengine-exec gridengine-client; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    mkdir -p "$folder/log"
    apt-cache policy gridengine-master | grep -q 'Candidate: [0-9]' || apt-get -o DPkg::Lock::Timeout=600 update -qq
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends \
        "${missing[@]}" >"$folder/log/apt.log" 2>&1 || { tail -5 "$folder/log/apt.log" >&2; fail "cannot install ${missing[*]}"; }
}

# Files of a cell without jobs. Root administers it, and may submit.
configure() {
    local place spool="$folder/default/common;$folder/qmaster"
    mkdir -p "$folder"/{default/common,execd,qmaster/job_scripts,log}
    for place in bin lib utilbin; do
        mkdir -p "$folder/$place"
        ln -sfn "$programs" "$folder/$place/lx-amd64"
    done
    ln -sfn /usr/share/gridengine/util "$folder/util"
    echo localhost >"$folder/default/common/act_qmaster"
    echo "localhost $(hostname)" >"$folder/default/common/host_aliases"
    cat >"$folder/default/common/bootstrap" <<EOF
admin_user           none
default_domain       none
ignore_fqdn          true
spooling_method      classic
spooling_lib         libspoolc
spooling_params      $spool
binary_path          /usr/sbin
qmaster_spool_dir    $folder/qmaster
security_mode        none
listener_threads     2
worker_threads       2
scheduler_threads    1
EOF
    sed -E -e "s|^(execd_spool_dir ).*|\1 $folder/execd|" -e 's/^(min_[ug]id ).*/\1 0/' -e 's|^(mailer ).*|\1 /bin/true|' \
        /usr/share/gridengine/default-configuration >"$folder/log/configuration"
    "$programs/spoolinit" classic libspoolc "$spool" init
    "$programs/spooldefaults" configuration "$folder/log/configuration"
    "$programs/spooldefaults" complexes /usr/share/gridengine/util/resources/centry
    "$programs/spooldefaults" usersets /usr/share/gridengine/util/resources/usersets
    "$programs/spooldefaults" managers root
}

# What its master knows of a node: a queue, an environment for threads, and a scheduler that looks each second.
describe() {
    qconf -as localhost
    # shellcheck disable=SC2016
    printf '%s\n' 'pe_name smp' 'slots 999' 'user_lists NONE' 'xuser_lists NONE' 'start_proc_args NONE' 'stop_proc_args NONE' \
        'allocation_rule $pe_slots' 'control_slaves FALSE' 'job_is_first_task TRUE' 'urgency_slots min' 'accounting_summary FALSE' \
        'qsort_args NONE' >"$folder/log/smp"
    qconf -Ap "$folder/log/smp"
    qconf -sq | sed -E -e 's/^(qname ).*/\1 all.q/' -e 's/^(hostlist ).*/\1 localhost/' -e "s/^(slots ).*/\1 $slots/" \
        -e 's/^(load_thresholds ).*/\1 NONE/' -e 's/^(pe_list ).*/\1 smp/' -e 's/^(rerun ).*/\1 TRUE/' >"$folder/log/queue"
    qconf -Aq "$folder/log/queue"
    qconf -ssconf | sed -E -e 's/^(schedule_interval ).*/\1 0:0:1/' -e 's/^(flush_(submit|finish)_sec ).*/\1 1/' \
        -e 's/^(job_load_adjustments ).*/\1 NONE/' -e 's/^(load_adjustment_decay_time ).*/\1 0:0:0/' >"$folder/log/scheduler"
    qconf -Msconf "$folder/log/scheduler"
}

# Waits until a command succeeds.
until_done() {
    for _ in $(seq 1 150); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.2
    done
    tail -n 3 "$folder"/qmaster/messages "$folder"/execd/*/messages >&2 || true
    fail "not ready after 30 s: $*"
}
master_is_up() { timeout 5 qconf -sh; }
queue_is_up() { timeout 5 qstat -f | grep -qE '^all.q@localhost +BIP +[0-9/]+ +[0-9.]+ +lx-'; }

up() {
    local fresh=
    [ -d "$folder/default" ] || { fresh=yes && configure >"$folder.log" 2>&1 && mv "$folder.log" "$folder/log/configure.log"; }
    [ -n "$(daemon sge_qmaster)" ] || /usr/sbin/sge_qmaster >"$folder/log/qmaster.log" 2>&1
    until_done master_is_up
    [ -z "$fresh" ] || describe >"$folder/log/describe.log" 2>&1 || { cat "$folder/log/describe.log" >&2; fail "not described"; }
    [ -n "$(daemon sge_execd)" ] || /usr/sbin/sge_execd >"$folder/log/execd.log" 2>&1
    until_done queue_is_up
    printf 'up: %s slots in %s\nsource <(%s env)\n' "$slots" "$folder" "$0"
}

down() {
    local name pid
    timeout 10 qdel -f -u root >/dev/null 2>&1 || true
    for name in sge_execd sge_qmaster; do
        for pid in $(daemon "$name"); do
            kill -TERM "$pid"
            for _ in $(seq 1 50); do [ -n "$(daemon "$name")" ] || break; sleep 0.1; done
            [ -z "$(daemon "$name")" ] || kill -KILL "$pid" 2>/dev/null || true
        done
    done
    [ "${1:-}" != --wipe ] || rm -rf "$folder"
    echo "down"
}

case "${1:-}" in
    up)
        [ "$(id -u)" = 0 ] || fail "its daemons need root"
        install_gridengine
        up
        ;;
    env) for name in SGE_ROOT SGE_CELL SGE_QMASTER_PORT SGE_EXECD_PORT; do echo "export $name=${!name}"; done ;;
    down) down "${2:-}" ;;
    *) fail "expected up, env or down, found ${1:-nothing}" ;;
esac
