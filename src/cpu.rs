//! Whether the machine has the instructions that the program was built for.

/// Checks the instructions that the build uses.
///
/// # Errors
/// One line for the user of a machine without them.
pub fn check() -> Result<(), &'static str> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !(std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("bmi2")) {
        return Err("this evouct was built for processors with AVX2 and BMI2 (x86-64-v3), which this machine lacks; \
             build it with RUSTFLAGS=\"-C target-cpu=x86-64\"");
    }
    Ok(())
}
