//! Errors of parameters.

/// Why a set of values is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ParameterError {
    /// The parameter at fault; none if the fault is in the set as a whole.
    pub key: Option<String>,
    /// What was found and what was expected.
    pub problem: String,
}

impl ParameterError {
    /// An error in one parameter.
    pub fn of(key: &str, problem: impl Into<String>) -> ParameterError {
        ParameterError { key: Some(key.to_owned()), problem: problem.into() }
    }

    /// An error in the set as a whole.
    pub fn whole(problem: impl Into<String>) -> ParameterError {
        ParameterError { key: None, problem: problem.into() }
    }
}
