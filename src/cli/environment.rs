//! The environment of a job: what a batch system tells a task of an array.

use crate::disk::read_text;
use crate::league::granted;
use crate::schedule::Shard;
use std::path::Path;

/// The variables of a batch system by which a task of an array knows its place. What none tells is `None`.
struct ArrayVariables {
    /// The number of the task.
    task: &'static str,
    /// What it is in a job that is no array, if it is set there.
    no_task: &'static str,
    count: Option<&'static str>,
    first: Option<&'static str>,
    last: Option<&'static str>,
    step: Option<&'static str>,
    /// The first number, where no variable tells it.
    begins: u32,
}

impl ArrayVariables {
    /// A system that tells the number of the task only.
    const fn only(task: &'static str) -> ArrayVariables {
        ArrayVariables { task, no_task: "", count: None, first: None, last: None, step: None, begins: 0 }
    }
}

/// SLURM, PBS Pro, Torque, LSF, Grid Engine, and HTCondor.
const SYSTEMS: [ArrayVariables; 6] = [
    ArrayVariables {
        count: Some("SLURM_ARRAY_TASK_COUNT"),
        first: Some("SLURM_ARRAY_TASK_MIN"),
        last: Some("SLURM_ARRAY_TASK_MAX"),
        step: Some("SLURM_ARRAY_TASK_STEP"),
        ..ArrayVariables::only("SLURM_ARRAY_TASK_ID")
    },
    ArrayVariables::only("PBS_ARRAY_INDEX"),
    ArrayVariables::only("PBS_ARRAYID"),
    ArrayVariables {
        no_task: "0",
        last: Some("LSB_JOBINDEX_END"),
        step: Some("LSB_JOBINDEX_STEP"),
        begins: 1,
        ..ArrayVariables::only("LSB_JOBINDEX")
    },
    ArrayVariables {
        no_task: "undefined",
        first: Some("SGE_TASK_FIRST"),
        last: Some("SGE_TASK_LAST"),
        step: Some("SGE_TASK_STEPSIZE"),
        ..ArrayVariables::only("SGE_TASK_ID")
    },
    ArrayVariables { count: Some(JOB_AD[1]), ..ArrayVariables::only(JOB_AD[0]) },
];

/// What HTCondor has in place of variables: entries of a file that describes the job.
const JOB_AD: [&str; 2] = ["ProcId", "TotalSubmitProcs"];
/// The longest such file that is read, in bytes.
const LONGEST_AD: u64 = 1 << 20;

/// Threads to play on: what SLURM gave each task, else all there are; never more than there are.
pub(super) fn threads() -> usize {
    let given = std::env::var("SLURM_CPUS_PER_TASK").ok().and_then(|given| given.parse().ok());
    granted(given.unwrap_or(usize::MAX), u64::MAX).0
}

/// The shard of this task of a job array. `given` is the number of tasks, which not all systems tell.
///
/// # Errors
/// If this is no task of a job array or one of two, if the array is not a range of numbers, or if its number of tasks
/// is unknown or another.
pub(super) fn shard(given: Option<u32>) -> Result<Shard, String> {
    array_shard(given, of_process)
}

/// The number of this task, if it is one of a job array.
pub(super) fn array_task() -> Option<String> {
    SYSTEMS.iter().find_map(|system| system.number_of_task(of_process))
}

fn of_process(name: &str) -> Option<String> {
    if JOB_AD.contains(&name) { in_job_ad(name) } else { std::env::var(name).ok() }
}

/// An entry of the description of a job of HTCondor, if the job is one of several.
fn in_job_ad(name: &str) -> Option<String> {
    let ad = read_text(Path::new(&std::env::var_os("_CONDOR_JOB_AD")?), LONGEST_AD).ok()?;
    let entry =
        |name| ad.lines().find_map(|line| line.split_once(" = ").filter(|entry| entry.0 == name)).map(|entry| entry.1);
    entry(name).filter(|_| entry(JOB_AD[1]).is_some_and(|jobs| jobs != "1")).map(str::to_owned)
}

impl ArrayVariables {
    fn number_of_task(&self, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
        variable(self.task).filter(|task| task != self.no_task)
    }
}

fn array_shard(given: Option<u32>, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let auto = given.map_or("--shard auto".to_owned(), |count| format!("--shard auto/{count}"));
    let systems: Vec<&ArrayVariables> =
        SYSTEMS.iter().filter(|system| system.number_of_task(&variable).is_some()).collect();
    let system = match systems[..] {
        [system] => system,
        [one, other, ..] => {
            return Err(format!("{auto}: {} and {} are both set; give the part as I/N", one.task, other.task));
        }
        [] if variable("_CONDOR_SCRATCH_DIR").is_some() => {
            return Err(format!(
                "{auto}: this is the only job of its cluster of HTCondor, or its description (_CONDOR_JOB_AD) cannot be \
                 read; the submit file gives the part as $(Process)/N"
            ));
        }
        [] => {
            let names = SYSTEMS.map(|system| system.task).join(", ");
            return Err(format!(
                "{auto}: this is not a task of a job array, which has one of {names}; give the part as I/N"
            ));
        }
    };
    let number = |name: Option<&str>| -> Result<Option<u32>, String> {
        let Some((name, text)) = name.and_then(|name| Some((name, variable(name)?))) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| format!("{auto}: {name} = {text:?} is not a number"))
    };
    let task = number(Some(system.task))?.unwrap_or_default();
    let first = number(system.first)?.unwrap_or(system.begins);
    let step = number(system.step)?.unwrap_or(1).max(1);
    let last = number(system.last)?;
    let told = match system.count {
        Some(name) => {
            let unset = || format!("{auto}: {name} is not set, beside {}; give the part as I/N", system.task);
            Some(number(Some(name))?.ok_or_else(unset)?)
        }
        None => last.map(|last| last.saturating_sub(first) / step + 1),
    };
    let count = match (told, given) {
        (Some(told), Some(given)) if told != given => {
            return Err(format!("{auto}: the job array has {told} tasks; give the part as I/N"));
        }
        _ => told.or(given).ok_or_else(|| {
            format!("{auto}: beside {} no variable tells the number of tasks; give it as --shard auto/N", system.task)
        })?,
    };
    // An array such as 1,3,5-7 has gaps, though most of its tasks would get a shard.
    let end = u64::from(first) + u64::from(step) * u64::from(count.saturating_sub(1));
    let is_range = last.is_none_or(|last| (end..end + u64::from(step)).contains(&u64::from(last)));
    let index = task.checked_sub(first).filter(|place| is_range && place % step == 0).map(|place| place / step);
    let refused = || match told {
        Some(_) => format!(
            "{auto}: task {task} of a job array of {count} from {first} in steps of {step}: the array has gaps; give the \
             part as I/N"
        ),
        None => format!("{auto}: task {task} of a job array that is to be 0-{end}; give the part as I/N"),
    };
    index.and_then(|index| Shard::new(index, count).ok()).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::array_shard;

    /// The shard of a task with these variables, such as `A=1 B=2`, or the error.
    fn shard(variables: &str, given: Option<u32>) -> Result<String, String> {
        let found = |name: &str| {
            variables.split(' ').find_map(|pair| pair.split_once('=').filter(|pair| pair.0 == name)).map(|pair| pair.1)
        };
        array_shard(given, |name| found(name).map(str::to_owned)).map(|shard| shard.to_string())
    }

    /// The variables of SLURM and of Grid Engine, in this order: task, count, first, step, last.
    fn slurm([task, count, first, step, last]: [&str; 5]) -> String {
        let names = ["ID", "COUNT", "MIN", "STEP", "MAX"];
        let set = names.iter().zip([task, count, first, step, last]).filter(|(_, value)| !value.is_empty());
        set.map(|(name, value)| format!("SLURM_ARRAY_TASK_{name}={value} ")).collect()
    }

    fn sge(task: &str, first: &str, last: &str, step: &str) -> String {
        format!("SGE_TASK_ID={task} SGE_TASK_FIRST={first} SGE_TASK_LAST={last} SGE_TASK_STEPSIZE={step}")
    }

    #[test]
    fn a_task_of_an_array_is_a_shard() {
        for (variables, given, expected) in [
            (slurm(["3", "5", "0", "", ""]), None, "3/5"),
            (slurm(["1", "5", "1", "1", "5"]), Some(5), "0/5"),
            (slurm(["14", "3", "10", "2", "14"]), None, "2/3"),
            // Of `--array=0-15:4` the last task is 12.
            (slurm(["12", "4", "0", "4", "12"]), None, "3/4"),
            (slurm(["12", "4", "0", "4", "15"]), None, "3/4"),
            (slurm(["7", "1", "7", "1", "7"]), None, "0/1"),
            ("PBS_ARRAY_INDEX=0".to_owned(), Some(4), "0/4"),
            ("PBS_ARRAY_INDEX=3 PBS_JOBID=7[3].host".to_owned(), Some(4), "3/4"),
            ("PBS_ARRAYID=2".to_owned(), Some(4), "2/4"),
            ("LSB_JOBINDEX=1 LSB_JOBINDEX_END=10".to_owned(), None, "0/10"),
            ("LSB_JOBINDEX=10 LSB_JOBINDEX_END=10 LSB_JOBINDEX_STEP=1".to_owned(), Some(10), "9/10"),
            ("LSB_JOBINDEX=7 LSB_JOBINDEX_END=10 LSB_JOBINDEX_STEP=3".to_owned(), None, "2/4"),
            ("LSB_JOBINDEX=2".to_owned(), Some(3), "1/3"),
            (sge("1", "1", "10", "1"), None, "0/10"),
            (sge("9", "5", "9", "2"), Some(3), "2/3"),
            (sge("9", "5", "10", "2"), None, "2/3"),
            ("ProcId=3 TotalSubmitProcs=4".to_owned(), None, "3/4"),
            // Jobs that are no arrays have these, too.
            (format!("{} LSB_JOBINDEX=0", sge("3", "1", "3", "1")), None, "2/3"),
            (format!("{} {}", slurm(["1", "2", "0", "1", "1"]), sge("undefined", "", "", "")), None, "1/2"),
        ] {
            assert_eq!(shard(&variables, given), Ok(expected.to_owned()), "{variables} {given:?}");
        }
    }

    #[test]
    fn arrays_that_are_none_or_no_range_are_refused() {
        for (variables, given, words) in [
            (String::new(), None, "this is not a task of a job array, which has one of SLURM_ARRAY_TASK_ID, PBS_"),
            (String::new(), Some(3), "/3: this is not a task of a job array"),
            ("LSB_JOBINDEX=0 SGE_TASK_ID=undefined".to_owned(), None, "this is not a task"),
            ("_CONDOR_SCRATCH_DIR=/tmp".to_owned(), None, "the submit file gives the part as $(Process)/N"),
            (slurm(["3", "", "", "", ""]), None, "SLURM_ARRAY_TASK_COUNT is not set"),
            (slurm(["3", "", "", "", ""]), Some(4), "SLURM_ARRAY_TASK_COUNT is not set"),
            (slurm(["7", "3", "0", "1", ""]), None, "the array has gaps; give the part as I/N"),
            (slurm(["3", "2", "0", "2", ""]), None, "the array has gaps"),
            // 1,3,5-7: task 3 alone looks like a part.
            (slurm(["3", "5", "1", "1", "7"]), None, "the array has gaps"),
            (slurm(["3", "5", "1", "2", "7"]), None, "the array has gaps"),
            (slurm(["0", "0", "0", "1", "0"]), None, "the array has gaps"),
            (slurm(["x", "2", "0", "1", ""]), None, "SLURM_ARRAY_TASK_ID = \"x\" is not a number"),
            (slurm(["1", "2", "0", "1", "1"]), Some(3), "/3: the job array has 2 tasks"),
            ("PBS_ARRAY_INDEX=3".to_owned(), None, "PBS_ARRAY_INDEX no variable tells the number of tasks; give it"),
            ("PBS_ARRAYID=3".to_owned(), None, "no variable tells the number of tasks; give it as --shard auto/N"),
            ("PBS_ARRAY_INDEX=4".to_owned(), Some(4), "/4: task 4 of a job array that is to be 0-3"),
            ("PBS_ARRAYID=-1".to_owned(), Some(4), "PBS_ARRAYID = \"-1\" is not a number"),
            ("PBS_ARRAYID=0".to_owned(), Some(0), "a job array that is to be 0-0"),
            ("LSB_JOBINDEX=11 LSB_JOBINDEX_END=10".to_owned(), None, "the array has gaps"),
            ("LSB_JOBINDEX=3 LSB_JOBINDEX_END=9 LSB_JOBINDEX_STEP=3".to_owned(), None, "the array has gaps"),
            ("LSB_JOBINDEX=3".to_owned(), None, "give it as --shard auto/N"),
            (sge("6", "5", "9", "2"), None, "task 6 of a job array of 3 from 5 in steps of 2: the array has gaps"),
            (sge("3", "1", "undefined", "1"), None, "SGE_TASK_LAST = \"undefined\" is not a number"),
            (sge("3", "1", "10", "1"), Some(9), "the job array has 10 tasks"),
            (format!("PBS_ARRAYID=1 {}", sge("1", "1", "3", "1")), None, "PBS_ARRAYID and SGE_TASK_ID are both set"),
            ("PBS_ARRAYID=1 PBS_ARRAY_INDEX=1".to_owned(), Some(3), "PBS_ARRAY_INDEX and PBS_ARRAYID are both set"),
        ] {
            let error = shard(&variables, given).unwrap_err();
            assert!(error.contains(words) && error.starts_with("--shard auto"), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
