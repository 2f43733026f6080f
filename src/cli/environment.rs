//! The environment of a SLURM job.

use crate::league::granted;
use crate::schedule::Shard;

/// Threads to play on: what SLURM gave each task, else all there are; never more than there are.
pub(super) fn threads() -> usize {
    let given = std::env::var("SLURM_CPUS_PER_TASK").ok().and_then(|given| given.parse().ok());
    granted(given.unwrap_or(usize::MAX), u64::MAX).0
}

/// The shard of this task of a job array, if it is one.
///
/// # Errors
/// If the array is not a range of numbers.
pub(super) fn shard() -> Result<Option<Shard>, String> {
    array_shard(|name| std::env::var(name).ok())
}

fn array_shard(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Shard>, String> {
    let number = |name: &str| -> Result<Option<u32>, String> {
        let Some(text) = variable(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| format!("{name} = {text:?} is not a number"))
    };
    let Some(task) = number("SLURM_ARRAY_TASK_ID")? else { return Ok(None) };
    let Some(count) = number("SLURM_ARRAY_TASK_COUNT")? else { return Ok(None) };
    let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
    let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
    let index = task.checked_sub(first).filter(|place| place % step == 0).map(|place| place / step);
    let shard = index.and_then(|index| Shard::new(index, count).ok());
    let gaps = || {
        format!(
            "task {task} of a job array of {count} from {first} in steps of {step}: the array has gaps; give the part with --shard I/N"
        )
    };
    shard.map(Some).ok_or_else(gaps)
}

#[cfg(test)]
mod tests {
    use super::array_shard;

    fn shard(task: &str, count: &str, first: &str, step: &str) -> Result<Option<String>, String> {
        let shard = array_shard(|name| {
            let value = match name {
                "SLURM_ARRAY_TASK_ID" => task,
                "SLURM_ARRAY_TASK_COUNT" => count,
                "SLURM_ARRAY_TASK_MIN" => first,
                _ => step,
            };
            (!value.is_empty()).then(|| value.to_owned())
        });
        shard.map(|shard| shard.map(|shard| shard.to_string()))
    }

    #[test]
    fn a_task_of_an_array_is_a_shard() {
        assert_eq!(shard("", "", "", ""), Ok(None));
        assert_eq!(shard("3", "5", "0", ""), Ok(Some("3/5".to_owned())));
        assert_eq!(shard("1", "5", "1", "1"), Ok(Some("0/5".to_owned())));
        assert_eq!(shard("14", "3", "10", "2"), Ok(Some("2/3".to_owned())));
        assert!(shard("7", "3", "0", "1").unwrap_err().contains("the array has gaps"));
        assert!(shard("3", "2", "0", "2").is_err());
        assert!(shard("x", "2", "0", "1").unwrap_err().contains("\"x\" is not a number"));
    }
}
