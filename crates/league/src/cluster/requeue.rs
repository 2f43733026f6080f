//! The end of a batch script: what follows an attempt.

use super::system::System;

/// So many attempts in a row that were cut short and added nothing are requeued.
const MOST: u32 = 30;
/// A signal that comes so many seconds before the warning is not that of the time limit: SLURM sends that up to a
/// minute early, and the job was set up before its script began.
const MARGIN: u64 = 120;

/// What the end of a script depends on.
pub(super) struct Attempt<'a> {
    pub system: System,
    /// What is recorded, in the plural and in the singular.
    pub things: (&'a str, &'a str),
    /// The condition under which the attempt added nothing.
    pub added_nothing: &'a str,
    /// The job's id in SLURM, for the shell.
    pub id: &'a str,
    /// Whether the job is a task of an array.
    pub array: bool,
    /// The time limit, in seconds, if it is known.
    pub limit: Option<u64>,
    /// Seconds between the warning signal and the time limit.
    pub warning: u32,
}

/// The lines before an attempt: signals are passed on from here. Arithmetic of a shell runs commands that stand in its
/// variables, so what comes from a file, from the batch system or from another program is a number before it is counted
/// with.
pub(super) fn before(system: System) -> String {
    let who = match system {
        System::Slurm => "Before the time limit SLURM signals this shell only, which forwards the signal",
        _ => "A signal to this shell is forwarded",
    };
    format!(
        r#"# A text of digits as a number, and any other text as 0.
number() {{ case ${{1:-0}} in *[!0123456789]* | ????????????????*) echo 0 ;; *) echo "$((10#${{1:-0}}))" ;; esac; }}
# {who}: the program closes its journal and exits with 75.
signals=0 child=
trap 'signals=$((signals + 1)); [ -z "$child" ] || kill -USR1 "$child"' USR1 TERM"#
    )
}

/// An attempt: the lines that start the program in the background, and what follows, its exit code or another attempt.
pub(super) fn attempt(start: &[String], attempt: &Attempt) -> String {
    let Attempt { system, things: (things, thing), added_nothing, warning, .. } = attempt;
    let early = u64::from(*warning) + MARGIN;
    let own = |again: &str| ("${task:-}", own_left(attempt), again.to_owned());
    let (task, left, again) = match system {
        System::Slurm => ("${SLURM_ARRAY_TASK_ID:-}", slurm_left(attempt), slurm_again(attempt)),
        System::Pbs => own(&pbs_again(attempt)),
        System::Lsf => own("# LSF starts a job that exits with 75 again (-Q).\nexit 75\n"),
        System::Sge => own("# Grid Engine starts a job that exits with 99 again.\nexit 99\n"),
    };
    // The code of a job that is not to be started again: 75 asks LSF for it.
    let ended = if *system == System::Lsf { 1 } else { 75 };
    let start: String = start.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        r#"# Start nothing after a signal.
code=75
if [ "$signals" = 0 ]; then
{start}    child=$!
    # Forward a signal that arrived before the program started.
    [ "$signals" = 0 ] || {{ sleep 1; kill -USR1 "$child"; }}
    # A signal interrupts wait; then wait again.
    seen=0
    while wait "$child"; code=$?; [ "$code" -gt 128 ] && [ "$seen" != "$signals" ]; do seen=$signals; done
fi
trap : USR1 TERM
took=$SECONDS

# How many attempts before this one were cut short and added nothing: a file has the number only while there are any.
streak="$folder/.cut-short-$(number "{task}")"
idle=
if [ -f "$streak" ]; then read -r -n 20 idle 2>/dev/null <"$streak"; fi
idle=$(number "$idle")
rm -f "$streak"
after=$(missing)
echo "evouct: exit code $code; {things} missing: $before before, $after now"
# Done (failed games are recorded and listed), or a usage error: retrying will not help. A signal after the last of the {things}
# interrupts nothing.
if [ "$after" = 0 ] && [ "$code" = 75 ]; then exit 0; fi
if [ "$after" = 0 ] || [ "$code" = 2 ]; then exit "$code"; fi

{left}# An attempt that adds nothing ends the job, unless it was cut short long before the time limit (the job was preempted), or waits
# for other tasks. So many such attempts in a row are requeued:
most={MOST}
if [ {added_nothing} ]; then
    cut_short=no
    if [ "$signals" != 0 ] || [ "$code" = 75 ] || [ "$code" = 143 ]; then cut_short=yes; fi
    if [ "$cut_short" = no ] || [ "$(left)" -lt {early} ]; then
        echo "evouct: this attempt added no {thing}: not requeued" >&2
        exit 1
    fi
    idle=$((idle + 1))
    if [ "$idle" -gt "$most" ] || ! {{ mkdir -p "$folder" && echo "$idle" > "$streak"; }}; then
        echo "evouct: $idle attempts in a row were cut short and added no {thing}: not requeued" >&2
        exit {ended}
    fi
fi

{again}"#
    )
}

/// In SLURM: how a controller is asked, and the seconds that were left.
fn slurm_left(attempt: &Attempt) -> String {
    let (id, limit) = (attempt.id, attempt.limit.unwrap_or(0));
    format!(
        r#"# A busy controller fails or stalls. That is no answer: it is asked again.
ask() {{ timeout --kill-after=5 15 "$@"; }}
id={id}
# The seconds that were left before the time limit: by SLURM_JOB_END_TIME, which is set by newer versions of SLURM, by the script,
# or by squeue. Without an answer there is no limit.
left() {{
    local limit end
    limit=$(($(number "${{SLURM_JOB_END_TIME:-}}") - $(number "${{SLURM_JOB_START_TIME:-}}")))
    [ "$limit" -gt 0 ] || limit={limit}
    if [ "$limit" -gt 0 ]; then echo $((limit - took)); return; fi
    end=$(ask squeue -h -j "$id" -o %e)
    end=$(date -d "${{end:-unknown}}" +%s 2>/dev/null) || end=99999999999
    echo $(($(number "$end") - $(date +%s)))
}}
"#
    )
}

/// In SLURM the job requeues itself.
fn slurm_again(attempt: &Attempt) -> String {
    let again = if attempt.array { "sbatch --array=\"$SLURM_ARRAY_TASK_ID\"" } else { "sbatch" };
    format!(
        r#"asked=0
for pause in 0 2 4 8 16 30; do
    sleep "$pause"
    state=$(ask squeue -h -j "$id" -o %T) || state=
    [ -n "$state" ] || state=$(ask scontrol show job "$id" | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p')
    case $state in
        RUNNING | PREEMPTED)
            # Requeue the same job; where the site does not allow that, submit a new one.
            if ask scontrol requeue "$id"; then exit 75; fi
            if [ "$asked" = 1 ] && ask {again} "$0"; then exit 75; fi
            asked=1
            ;;
        "" | *[[:lower:][:space:]]*) ;;
        *)
            # A request that seemed to fail was carried out.
            if [ "$asked" = 1 ]; then exit 75; fi
            # A job that is not running any more was cancelled or reached its limit, and must not be requeued.
            echo "evouct: the job is $state: not requeued" >&2
            exit "$code"
            ;;
    esac
done
echo "evouct: SLURM did not requeue the job in six tries; nothing recorded is lost: submit the job again" >&2
exit 75
"#
    )
}

/// In other systems: signals come from outside, and the seconds that were left are those of the script.
fn own_left(attempt: &Attempt) -> String {
    let left = attempt.limit.map_or("99999999999".to_owned(), |limit| format!("$(({limit} - took))"));
    format!(
        r#"# A signal to the shell comes when the job is deleted, or taken away by the system, which then starts it again by itself.
if [ "$signals" != 0 ]; then exit 143; fi
# The seconds that were left before the time limit, if it is known.
left() {{ echo {left}; }}
"#
    )
}

/// In PBS only operators start a job again: a task continues as a job of its own.
fn pbs_again(attempt: &Attempt) -> String {
    let task = if attempt.array { " -v EVOUCT_TASK=\"$((task + 1))\"" } else { "" };
    format!(
        r#"# PBS lets only operators start a job again: this one continues as a further job, which is no array. A server that fails or
# stalls is asked again; of two jobs with one shard the second one ends at once.
further=$(sed '/^#PBS -J /d' "$0")
for pause in 0 2 4 8 16 30; do
    case $further in '#!/bin/bash'*) ;; *) break ;; esac
    sleep "$pause"
    next=$(printf '%s\n' "$further" | timeout --kill-after=5 60 qsub{task}) || continue
    case $next in
        [0123456789]*)
            printf 'evouct: continues as job %s\n' "$next"
            exit 75
            ;;
    esac
done
echo "evouct: PBS took no further job in six tries; nothing recorded is lost: submit the job again" >&2
exit 75
"#
    )
}
