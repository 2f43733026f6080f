//! The instructions of the processor, and the copy of the program that it can run.
//!
//! A release has two copies: `evouct` for every x86-64, and beside it `evouct-v3` for x86-64-v3, to which the first hands
//! over. The wheel has two modules. All give the same results.

use std::path::PathBuf;

/// The copy for x86-64-v3.
const FASTER: &str = "evouct-v3";

/// Whether the processor has what x86-64-v3 is used for. The macro of the standard library answers for what the build
/// uses without asking the processor.
#[cfg(target_arch = "x86_64")]
fn is_v3() -> bool {
    use std::arch::x86_64::__cpuid_count;
    let has = |bit: u32| __cpuid_count(0, 0).eax >= 7 && __cpuid_count(7, 0).ebx & (1 << bit) != 0;
    let (avx2, bmi2) = (has(5), has(8));
    avx2 && bmi2 && std::is_x86_feature_detected!("avx2")
}

/// Checks the instructions that the build uses. Call it first: what comes before it may use them.
///
/// # Errors
/// One line for the user of a machine without them.
pub fn check() -> Result<(), &'static str> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !is_v3() {
        return Err("this evouct was built for processors with AVX2 and BMI2 (x86-64-v3), which this machine lacks; \
             build it with RUSTFLAGS=\"-C target-cpu=x86-64\"");
    }
    Ok(())
}

/// Becomes the faster copy of the program beside this one, if there is one and the processor can run it.
pub(crate) fn hand_over() {
    #[cfg(all(unix, target_arch = "x86_64", not(target_feature = "avx2")))]
    if is_v3()
        && let Ok(program) = std::env::current_exe()
        && !program.ends_with(FASTER)
    {
        use std::os::unix::process::CommandExt;
        let mut words = std::env::args_os();
        let mut faster = std::process::Command::new(program.with_file_name(FASTER));
        if let Some(name) = words.next() {
            faster.arg0(name);
        }
        // It returns only where there is none.
        let _ = faster.args(words).exec();
    }
}

/// The program that starts this one on any processor: a job may run on an older one.
pub(crate) fn for_any(program: PathBuf) -> PathBuf {
    let other = program.with_file_name("evouct");
    if program.ends_with(FASTER) && other.is_file() { other } else { program }
}

/// Why this copy takes longer than another one, in a line.
pub fn slower() -> Option<&'static str> {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    if !is_v3() {
        return Some(
            "this processor lacks AVX2 or BMI2, so evouct takes about 1.5 times as long; results are the same",
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_starts_the_copy_for_any_processor() {
        let folder = tempfile::tempdir().unwrap();
        let [any, faster, own] = ["evouct", FASTER, "own"].map(|name| folder.path().join(name));
        assert_eq!(for_any(faster.clone()), faster);
        std::fs::write(&any, "").unwrap();
        assert_eq!([faster, own.clone(), any.clone()].map(for_any), [any.clone(), own, any]);
    }
}
