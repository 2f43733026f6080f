//! The environment of a SLURM job.

use crate::league::granted;
use crate::schedule::Shard;

/// Threads to play on: what SLURM gave each task, else all there are; never more than there are.
pub(super) fn threads() -> usize {
    let given = std::env::var("SLURM_CPUS_PER_TASK").ok().and_then(|given| given.parse().ok());
    granted(given.unwrap_or(usize::MAX), u64::MAX).0
}

/// The shard of this task of a job array.
///
/// # Errors
/// If this is no task of a job array, or if the array is not a range of numbers.
pub(super) fn shard() -> Result<Shard, String> {
    array_shard(|name| std::env::var(name).ok())
}

/// The number of this task, if it is one of a job array.
pub(super) fn array_task() -> Option<String> {
    std::env::var("SLURM_ARRAY_TASK_ID").ok()
}

fn array_shard(variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let number = |name: &str| -> Result<Option<u32>, String> {
        let Some(text) = variable(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| format!("--shard auto: {name} = {text:?} is not a number"))
    };
    let needed = |name: &str| {
        let unset = || {
            format!("--shard auto: {name} is not set; this is not a task of a SLURM job array, so give the part as I/N")
        };
        number(name)?.ok_or_else(unset)
    };
    let (task, count) = (needed("SLURM_ARRAY_TASK_ID")?, needed("SLURM_ARRAY_TASK_COUNT")?);
    let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
    let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
    // An array such as 1,3,5-7 has gaps, though most of its tasks would get a shard.
    let last = u64::from(first) + u64::from(step) * u64::from(count.saturating_sub(1));
    let is_range =
        number("SLURM_ARRAY_TASK_MAX")?.is_none_or(|max| (last..last + u64::from(step)).contains(&u64::from(max)));
    let index = task.checked_sub(first).filter(|place| is_range && place % step == 0).map(|place| place / step);
    let gaps = || {
        format!(
            "--shard auto: task {task} of a job array of {count} from {first} in steps of {step}: the array has gaps; \
             give the part as I/N"
        )
    };
    index.and_then(|index| Shard::new(index, count).ok()).ok_or_else(gaps)
}

#[cfg(test)]
mod tests {
    use super::array_shard;

    fn shard(task: &str, count: &str, first: &str, step: &str, last: &str) -> Result<String, String> {
        let shard = array_shard(|name| {
            let value = match name {
                "SLURM_ARRAY_TASK_ID" => task,
                "SLURM_ARRAY_TASK_COUNT" => count,
                "SLURM_ARRAY_TASK_MIN" => first,
                "SLURM_ARRAY_TASK_MAX" => last,
                _ => step,
            };
            (!value.is_empty()).then(|| value.to_owned())
        });
        shard.map(|shard| shard.to_string())
    }

    #[test]
    fn a_task_of_an_array_is_a_shard() {
        assert_eq!(shard("3", "5", "0", "", ""), Ok("3/5".to_owned()));
        assert_eq!(shard("1", "5", "1", "1", "5"), Ok("0/5".to_owned()));
        assert_eq!(shard("14", "3", "10", "2", "14"), Ok("2/3".to_owned()));
        // Of `--array=0-15:4` the last task is 12.
        assert_eq!(shard("12", "4", "0", "4", "12"), Ok("3/4".to_owned()));
        assert_eq!(shard("12", "4", "0", "4", "15"), Ok("3/4".to_owned()));
        assert_eq!(shard("7", "1", "7", "1", "7"), Ok("0/1".to_owned()));
    }

    #[test]
    fn arrays_that_are_none_or_no_range_are_refused() {
        for (task, count, first, step, last, words) in [
            ("", "", "", "", "", "SLURM_ARRAY_TASK_ID is not set; this is not a task"),
            ("3", "", "", "", "", "SLURM_ARRAY_TASK_COUNT is not set"),
            ("7", "3", "0", "1", "", "the array has gaps; give the part as I/N"),
            ("3", "2", "0", "2", "", "the array has gaps"),
            // 1,3,5-7: task 3 alone looks like a part.
            ("3", "5", "1", "1", "7", "the array has gaps"),
            ("3", "5", "1", "2", "7", "the array has gaps"),
            ("0", "0", "0", "1", "0", "the array has gaps"),
            ("x", "2", "0", "1", "", "SLURM_ARRAY_TASK_ID = \"x\" is not a number"),
        ] {
            let error = shard(task, count, first, step, last).unwrap_err();
            assert!(error.contains(words) && error.starts_with("--shard auto: "), "{error}");
        }
    }
}
